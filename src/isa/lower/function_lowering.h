// One function's way from syntax tree to decoded code: operands are checked and given virtual
// registers or constants (LIR), the passes run, and physical code is emitted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "isa/lower/linkage.h"
#include "isa/lower/lir.h"
#include "isa/program.h"
#include "isa/syntax.h"
#include "ptx/passes/flow.h"

namespace raddle::isa {

enum class Geometry : std::uint8_t;  // of textures

class FunctionLowering {
 public:
  FunctionLowering(const LinkedFunction& linked, Linkage& linkage, Matcher& matcher,
                   Program& program);
  /// Appends the function's code to the program and completes its Function.
  void run();
  bool uses_alloca() const { return uses_alloca_; }

 private:
  using Operand = ptx::Operand;
  using OperandKind = ptx::Operand::Kind;

  // function_lowering.cpp
  void lay_out_frame();
  void lower_all();
  void lower_prologue();
  void lower_epilogue();
  void lower_instruction(const ptx::Instruction& instruction);
  void lower_unrounded(const ptx::Instruction& instruction);
  void refuse_part_selectors(const std::vector<Operand>& operands) const;
  void lower_by_roles(const ptx::Instruction& instruction, const Match& match);
  void lower_role(const OperandSpec& spec, const Operand& operand, const Match& match,
                  LirInstruction& lir);
  LirInstruction begin(const ptx::Instruction& instruction, const Match& match) const;
  LirInstruction bare(Execute execute, Kind kind, Class klass) const;
  void push(LirInstruction lir) { lir_.push_back(std::move(lir)); }
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const {
    refuse_text(fmt::format(text, std::forward<Args>(args)...));
  }
  [[noreturn]] void refuse_text(const std::string& text) const;

  // operands.cpp
  std::uint32_t new_register(unsigned bytes);
  unsigned register_bytes(std::uint32_t id) const { return bytes_[id]; }
  void check_register(std::uint32_t id, ptx::Type wanted, bool exact_class) const;
  /// A source of type `type`: register, constant, symbol's address or special register.
  Ref source(const Operand& operand, ptx::Type type);
  Ref source_bytes(const Operand& operand, unsigned bytes);
  Ref constant(std::uint64_t low, unsigned bytes, std::uint64_t high = 0);
  Ref destination(const Operand& operand, ptx::Type type);
  Ref scratch(unsigned bytes);
  /// A constant row of its own, to be filled with the slots of LirInstruction::list.
  Ref list_row();
  std::uint32_t predicate(const Operand& operand) const;
  Ref symbol_address(const Operand& operand, unsigned bytes);
  Ref special(const Operand& operand, unsigned bytes);
  std::uint64_t immediate_bits(const Operand& operand, ptx::Type type) const;
  std::int64_t integer_constant(const Operand& operand) const;
  void set_source_predicate(LirInstruction& lir, const Operand& operand) const;
  struct SymbolPlace {
    enum class Kind : std::uint8_t { absolute, frame, dynamic_shared, parameter } kind;
    std::uint64_t value = 0;
    ptx::Space space = ptx::Space::generic;
  };
  SymbolPlace place_of(const Operand& symbol) const;
  SymbolPlace place_of(const LinkedVariable& linked, std::uint64_t offset) const;

  // memory.cpp
  void lower_mov(const ptx::Instruction& instruction, const Match& match);
  void lower_load(const ptx::Instruction& instruction, const Match& match);
  void lower_store(const ptx::Instruction& instruction, const Match& match);
  void lower_atomic(const ptx::Instruction& instruction, const Match& match, bool result);
  void lower_cp_async(const ptx::Instruction& instruction, const Match& match);
  void lower_line_hint(const ptx::Instruction& instruction, const Match& match);
  void lower_alloca(const ptx::Instruction& instruction, const Match& match);
  void lower_barrier(const ptx::Instruction& instruction, const Match& match);
  /// Sets s[0], immediate and address flags; returns the state space to access.
  ptx::Space address(LirInstruction& lir, const Operand& operand, ptx::Space named);

  // video.cpp
  void lower_video(const ptx::Instruction& instruction, const Match& match);
  void lower_video_scalar(const ptx::Instruction& instruction, const Match& match);
  void lower_video_simd(const ptx::Instruction& instruction, const Match& match, unsigned elements);
  Ref video_source(Operand operand, ptx::Type type);
  Ref compute_word(std::string_view opcode, std::vector<std::string_view> modifiers,
                   const std::array<Ref, 4>& sources, std::int64_t immediate = 0);

  // vector.cpp
  static bool is_wide_vector(const Form& form);
  void lower_wide_vector(const ptx::Instruction& instruction, const Match& match);
  void lower_vector_atomic(const ptx::Instruction& instruction, const Match& match);
  void lower_vector_mov(const ptx::Instruction& instruction, const Match& match);
  void lower_single_pair(const ptx::Instruction& instruction, const Match& match);
  void copy_register(const ptx::Instruction& instruction, Ref to, Ref from, unsigned bytes);

  // matrix.cpp
  void lower_matrix(const ptx::Instruction& instruction, const Match& match);
  void lower_mma(const ptx::Instruction& instruction, const Match& match);
  void lower_movmatrix(const ptx::Instruction& instruction, const Match& match);
  void lower_matrix_rows(const ptx::Instruction& instruction, const Match& match);
  void lower_fragment(const ptx::Instruction& instruction, const Match& match);
  std::vector<Operand> registers_of(const Operand& operand, unsigned count) const;
  void keep_operands(const ptx::Instruction& instruction, const std::vector<Operand>& registers,
                     LirInstruction& lir);

  // texture.cpp
  void lower_texture(const ptx::Instruction& instruction, const Match& match);
  void lower_surface(const ptx::Instruction& instruction, const Match& match);
  void lower_texture_query(const ptx::Instruction& instruction, const Match& match);
  void lower_is_type(const ptx::Instruction& instruction, const Match& match);
  Ref texture_handle(const Operand& operand, ptx::Type wanted);
  void list_sources(LirInstruction& lir, const Operand& operand, unsigned count, ptx::Type type);
  void list_coordinates(LirInstruction& lir, const Operand& operand, Geometry geometry,
                        ptx::Type type);
  void list_destinations(LirInstruction& lir, const Operand& operand, unsigned count,
                         ptx::Type type);

  // mbarrier.cpp
  void lower_mbarrier(const ptx::Instruction& instruction, const Match& match);
  void lower_mbarrier_wait(const ptx::Instruction& instruction, const Match& match);

  // control_flow.cpp
  void lower_branch(const ptx::Instruction& instruction, const Match& match);
  void lower_branch_table(const ptx::Instruction& instruction, const Match& match);
  void lower_return(const ptx::Instruction& instruction, const Match& match);
  void lower_call(const ptx::Instruction& instruction, const Match& match);
  struct CallOperands;
  CallOperands split_call(const ptx::Instruction& instruction) const;
  struct CalleeShape;
  CalleeShape shape_of(const CallOperands& call) const;
  std::uint32_t skip_unless_guarded(const ptx::Instruction& instruction);

  // arguments.cpp
  void access_frame(bool store, Ref value, unsigned bytes, std::uint32_t offset);
  void access_formal(bool store, const ptx::Variable& formal, std::uint32_t offset);
  Ref word_of_predicate(const Operand& operand);
  void predicate_of_word(std::uint32_t predicate, Ref word);
  void pass_element(const Operand& operand, const ptx::Variable& formal, std::uint32_t offset);
  void receive_element(const Operand& to, const ptx::Variable& formal, std::uint32_t offset);
  void receive_result(const Operand& to, const ptx::Variable& formal, std::uint32_t offset);
  std::uint32_t argument_offset(const Operand& operand, const ptx::Variable& formal, bool result);

  // emit.cpp
  ptx::FlowFunction flow() const;
  void emit();
  struct Places;
  Slot slot_of(const Ref& ref, const Places& places) const;
  Instruction physical(const LirInstruction& lir, const Places& places) const;
  void fill_list(const LirInstruction& lir, const Places& places);
  void note_registers(const LirInstruction& lir, const Places& places, RegisterSet& reads,
                      RegisterSet& writes) const;
  SourceRegisters source_registers(const LirInstruction& lir, const Places& places,
                                   const RegisterSet& reads) const;
  std::uint32_t target_of(const LirInstruction& lir) const;

  const LinkedFunction& linked_;
  const ptx::Function& function_;
  const ptx::Module& module_;
  Linkage& linkage_;
  Matcher& matcher_;
  Program& program_;
  Function& out_;
  const ptx::Instruction* at_ = nullptr;  // being lowered, for errors

  std::vector<LirInstruction> lir_;
  std::vector<std::uint32_t> start_;  // [ptx instruction] -> index into lir_
  std::vector<std::uint8_t> bytes_;   // [virtual register]; 0: predicate
  std::map<std::pair<std::uint64_t, std::uint64_t>, Slot> constants_[5];  // by log2 of the bytes
  std::vector<std::uint32_t> variable_offset_, parameter_offset_, return_offset_;
  std::uint32_t frame_ = 0;     // bytes of the frame so far
  std::uint32_t epilogue_ = 0;  // index into lir_ of a .func's exit
  std::vector<std::uint32_t> to_epilogue_;
  std::uint32_t saved_stack_ = ptx::kNoId;
  bool uses_alloca_ = false;
};

/// Lays variables one after the other as the .param space does; returns the offsets and moves
/// `end`.
std::vector<std::uint32_t> lay_out(const std::vector<ptx::Variable>& variables, std::uint32_t& end);

}  // namespace raddle::isa
