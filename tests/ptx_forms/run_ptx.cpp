#include "run_ptx.h"

#include <cstring>
#include <span>

#include "base/error.h"
#include "machine/chip_config.h"
#include "ptx/module.h"

namespace raddle::tests {

PtxMachine::~PtxMachine() = default;

PtxMachine::PtxMachine(bool timed, const std::string& gpu)
    : config_(machine::load_gpu(gpu)),
      space_(std::make_unique<memory::AddressSpace>(std::uint64_t{1} << 28)) {
  config_->gpu.functional.set(timed ? "false" : "true");
  config_->gpu.max_cycles.set("50000000");
  config_->gpu.sms.set(
      "1");  // one block runs: the rest of a big GPU takes longer to make than to run
}

Address PtxMachine::allocate(std::size_t bytes, std::byte fill) {
  const Address at = space_->allocate(bytes, memory::Kind::device, "buffer");
  std::memset(space_->values(at, bytes), static_cast<int>(fill), bytes);
  return at;
}

Address PtxMachine::handle(const isa::TextureDescriptor& descriptor) {
  const Address at = space_->allocate(sizeof descriptor, memory::Kind::constant, "handle");
  std::memcpy(space_->values(at, sizeof descriptor), &descriptor, sizeof descriptor);
  return at;
}

std::string PtxMachine::run(const std::string& text, const std::vector<std::uint64_t>& parameters,
                            std::uint32_t threads) {
  const auto module = ptx::parse("test.ptx", text);
  programs_.push_back(isa::load_program(std::span(&module, 1), *space_));
  const auto& program = programs_.back();
  const isa::Function* kernel = nullptr;
  for (const isa::Function& function : program->functions) {
    if (function.entry && function.name == "test") kernel = &function;
  }
  if (kernel == nullptr) fail("there is no kernel 'test'");
  if (gpu_ == nullptr) gpu_ = std::make_unique<machine::Gpu>(*config_, *space_);
  machine::Gpu& gpu = *gpu_;
  machine::Launch launch;
  launch.program = program.get();
  launch.kernel = kernel;
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters.resize(kernel->parameter_bytes);
  std::memcpy(launch.parameters.data(), parameters.data(),
              std::min(launch.parameters.size(), 8 * parameters.size()));
  if (const auto refused = gpu.launch_error(launch); !refused.text.empty()) return refused.text;
  gpu.launch(std::move(launch), 0);
  std::vector<machine::FaultReport> faults;
  while (!gpu.idle() && faults.empty()) {
    gpu.advance(kNever);
    faults = gpu.take_faults();
  }
  if (faults.empty()) return "";
  gpu_.reset();
  return faults[0].text;
}

}  // namespace raddle::tests
