// Device code that belongs together: parsed, linked and loaded when it is first used.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cuda/fatbin/image.h"
#include "isa/program.h"
#include "memory/address_space.h"

namespace raddle::isa {
class Loader;
}

namespace raddle::cuda {

class Module;

/// A kernel; handles point at it (cudaFunction_t, cudaKernel_t, CUfunction, CUkernel).
struct Kernel {
  Module* module = nullptr;
  std::string name;
  isa::Function* function = nullptr;  // found when the module is loaded
  int carveout = -1;                  // cudaFuncSetAttribute
  // For the driver API's old launch calls (cuFuncSetBlockShape ...).
  int block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> parameters;
};

class Module {
 public:
  /// `parts`: for each translation unit the versions of its code. `wrapper`: where a registered
  /// program has the parts; such a module can be loaded again.
  Module(std::string name, std::vector<std::vector<Image>> parts, const void* wrapper = nullptr);
  ~Module();

  /// The loaded program; the first call parses, links and places it. Throws Error for code that
  /// cannot run, every time. For PTX that a GPU of version `sm` does not run, it calls `too_new`,
  /// which throws.
  struct Unfit {
    ptx::Target target;
    std::string name;
    bool machine_code;  // there is also machine code for the GPU
  };
  using TooNew = std::function<void(const Unfit&)>;
  const isa::Program& program(const isa::Loader& loader, memory::AddressSpace& space, unsigned sm,
                              const TooNew& too_new);
  bool loaded() const { return program_ != nullptr; }
  const isa::Program& program_loaded() const { return *program_; }
  /// Whether the program registered it when it started.
  bool registered() const { return wrapper_ != nullptr; }
  /// For a registered module: the next use loads it again. Handles of its kernels stay valid. The
  /// caller frees its variables.
  void unload();

  /// The handle of a kernel, the same in each call; nullptr when the loaded program has no kernel
  /// of that name.
  Kernel* kernel(const std::string& name);
  /// The same without a check that it exists: for registration, before any code is loaded.
  Kernel* declare_kernel(const std::string& name);
  /// The host knows a symbol of this name, so that the symbol's part belongs to the program.
  void expect(const std::string& name) { expected_.insert(name); }
  /// The values of this variable will lie at `memory`, where the host has the variable.
  void place_on_host(const std::string& name, void* memory) { homes_[name] = memory; }
  const isa::Variable* variable(const std::string& name) const;
  std::vector<Kernel*> kernels();

  const std::string& name() const { return name_; }
  /// PTX version of the first part chosen, as 10 * major + minor; 0 before loading.
  unsigned ptx_version() const { return ptx_version_; }
  unsigned target() const { return target_; }  // 75 for sm_75

 private:
  std::string name_;
  std::vector<std::vector<Image>> parts_;
  const void* wrapper_;
  std::unique_ptr<isa::Program> program_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::set<std::string> expected_;
  std::map<std::string, void*> homes_;
  unsigned ptx_version_ = 0, target_ = 0;
  std::exception_ptr load_error_;
};

}  // namespace raddle::cuda
