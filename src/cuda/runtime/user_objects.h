// Objects of the program that graphs keep alive (CUDA programming guide, "CUDA User Objects").
#pragma once

#include <map>

#include "cuda_runtime_api.h"

namespace raddle::cuda {

struct UserObject {
  void* data = nullptr;
  cudaHostFn_t destroy = nullptr;  // called with the data when the last reference is gone
  unsigned references = 0;
};

/// Refuses 0 references, no function, and flags other than cudaUserObjectNoDestructorSync.
cudaUserObject_t make_user_object(void* data, cudaHostFn_t destroy, unsigned references,
                                  unsigned flags);
/// Refuses an unknown handle, or the handle of an object that is gone (cudaErrorInvalidValue).
UserObject& user_object(cudaUserObject_t handle);
void retain(UserObject& object, unsigned count);
/// Refuses more references than there are.
void release(UserObject& object, unsigned count);

/// The references of a graph; a copy has as many of its own.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other) { *this = other; }
  UserReferences& operator=(const UserReferences& other);
  ~UserReferences() { clear(); }

  /// Takes new references, or with cudaGraphUserObjectMove the caller's. Refuses other flags, and a
  /// count of 0.
  void take(UserObject& object, unsigned count, unsigned flags);
  /// Refuses more references than the graph has.
  void give_up(UserObject& object, unsigned count);

 private:
  void clear();
  std::map<UserObject*, unsigned> counts_;
};

}  // namespace raddle::cuda
