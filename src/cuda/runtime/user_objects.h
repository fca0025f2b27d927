// Objects of the program that graphs keep alive (CUDA programming guide, "CUDA User Objects").
#pragma once

#include <map>

#include "cuda_runtime_api.h"

namespace raddle::cuda {

struct UserObject {
  void* data = nullptr;
  cudaHostFn_t destroy = nullptr;  // called with the data when nobody refers to it any more
  unsigned references = 0;
};

/// Refuses no references, no function, and flags but cudaUserObjectNoDestructorSync.
cudaUserObject_t make_user_object(void* data, cudaHostFn_t destroy, unsigned references,
                                  unsigned flags);
/// Refuses a handle of none, or of one that is gone (cudaErrorInvalidValue).
UserObject& user_object(cudaUserObject_t handle);
void retain(UserObject& object, unsigned count);
/// Refuses more than there are.
void release(UserObject& object, unsigned count);

/// The references that a graph has; a copy has as many of its own.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other) { *this = other; }
  UserReferences& operator=(const UserReferences& other);
  ~UserReferences() { clear(); }

  /// New ones, or with cudaGraphUserObjectMove the caller's. Refuses other flags, and none.
  void take(UserObject& object, unsigned count, unsigned flags);
  /// Refuses more than it has.
  void give_up(UserObject& object, unsigned count);

 private:
  void clear();
  std::map<UserObject*, unsigned> counts_;
};

}  // namespace raddle::cuda
