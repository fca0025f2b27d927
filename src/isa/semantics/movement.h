// Data movement (PTX ISA 9.7.9): mov, packing, addresses, special registers, shuffles.
#pragma once

#include "isa/table.h"

namespace raddle::isa {

// move.cpp
Execute select_mov(const Form&);                            // of Form::type, register or constant
Execute select_pack(unsigned element_bytes, unsigned n);    // d = {s[0], ..}
Execute select_unpack(unsigned element_bytes, unsigned n);  // {d, s[1], s[2], s[3]} = s[0]
/// d = the local address of the running frame + immediate, in 4 or 8 bytes.
Execute select_local_address(unsigned bytes);
/// d = the beginning of dynamic shared memory + immediate.
Execute select_dynamic_shared_address(unsigned bytes);
Execute select_cvta(const Form&);
Execute select_isspacep(const Form&);
Execute select_mapa(const Form&);
Execute select_zero_policy(const Form&);  // createpolicy: cache policies have no effect
void execute_nothing(WarpContext&, const Instruction&);

/// Shared memory of a block beyond the program's variables, when code asks for its place
/// (%reserved_smem_offset_*): as much as GPUs from sm_80 on reserve (cuda_occupancy.h).
inline constexpr std::uint32_t kReservedSharedBytes = 1024;

// special_registers.cpp: nullptr for unknown names. `bits` is set to the register's width.
Execute select_special_register(std::string_view name, unsigned* bits);

// shuffle.cpp
Execute select_shfl(const Form&);

}  // namespace raddle::isa
