#include "cuda/runtime/user_objects.h"

#include <set>

#include "cuda/refusal.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/host_functions.h"

namespace raddle::cuda {

namespace {

// Runtime::mutex() guards it.
std::set<UserObject*>& known() {
  static auto* all = new std::set<UserObject*>;
  return *all;
}

/// Ends an object whose last reference is gone.
void end(UserObject& object) {
  known().erase(&object);
  run_host_function([&] { object.destroy(object.data); });
  delete &object;
}

}  // namespace

cudaUserObject_t make_user_object(void* data, cudaHostFn_t destroy, unsigned references,
                                  unsigned flags) {
  require(destroy != nullptr && references != 0 && flags == cudaUserObjectNoDestructorSync,
          cudaErrorInvalidValue);
  auto* object = new UserObject{data, destroy, references};
  known().insert(object);
  return reinterpret_cast<cudaUserObject_t>(object);
}

UserObject& user_object(cudaUserObject_t handle) {
  auto* object = reinterpret_cast<UserObject*>(handle);
  require(known().contains(object), cudaErrorInvalidValue,
          "the user object does not exist, or nobody refers to it any more");
  return *object;
}

void retain(UserObject& object, unsigned count) {
  require(count != 0, cudaErrorInvalidValue);
  object.references += count;
}

void release(UserObject& object, unsigned count) {
  require(count != 0 && count <= object.references, cudaErrorInvalidValue,
          "the user object has fewer references");
  object.references -= count;
  if (object.references == 0) end(object);
}

UserReferences& UserReferences::operator=(const UserReferences& other) {
  if (this == &other) return *this;
  clear();
  counts_ = other.counts_;
  for (const auto& [object, count] : counts_) retain(*object, count);
  return *this;
}

void UserReferences::take(UserObject& object, unsigned count, unsigned flags) {
  require(count != 0 && flags <= cudaGraphUserObjectMove, cudaErrorInvalidValue);
  if (flags == 0) retain(object, count);
  require(count <= object.references, cudaErrorInvalidValue,
          "the user object has fewer references");
  counts_[&object] += count;
}

void UserReferences::give_up(UserObject& object, unsigned count) {
  const auto found = counts_.find(&object);
  require(found != counts_.end() && count <= found->second, cudaErrorInvalidValue,
          "the graph has fewer references to the user object");
  found->second -= count;
  if (found->second == 0) counts_.erase(found);
  release(object, count);
}

void UserReferences::clear() {
  for (const auto& [object, count] : std::exchange(counts_, {})) release(*object, count);
}

}  // namespace raddle::cuda
