// Functions that decode instructions with operands of a special kind; rows of the instruction table
// name them in Row::operands.
#pragma once

namespace raddle::ptx {
struct Instruction;
}

namespace raddle::isa {

struct Lowering;
struct Match;

#define RADDLE_LOWER(name) void name(Lowering&, const ptx::Instruction&, const Match&)

// by_roles.cpp: operands follow the roles of the row.
RADDLE_LOWER(lower_by_roles);
RADDLE_LOWER(lower_convert);    // as before, where registers may be wider than the types: `bytes`
                                // is the size of d's register, `elements` that of a's
RADDLE_LOWER(lower_set);        // as before, with the value of a true result
RADDLE_LOWER(lower_unrounded);  // mad.f32 without a rounding modifier
RADDLE_LOWER(lower_prefetch);   // no effect in raddle
RADDLE_LOWER(lower_stackrestore);
RADDLE_LOWER(lower_ignored);         // no effect in raddle
RADDLE_LOWER(lower_event);           // pmevent: no effect
RADDLE_LOWER(lower_register_count);  // setmaxnreg: no effect
RADDLE_LOWER(lower_bit_field);       // bfe, bfi: constant positions and lengths are bytes

// memory.cpp
RADDLE_LOWER(lower_mov);
RADDLE_LOWER(lower_load);
RADDLE_LOWER(lower_uniform_load);
RADDLE_LOWER(lower_store);
RADDLE_LOWER(lower_atom);
RADDLE_LOWER(lower_red);
RADDLE_LOWER(lower_cp_async);
RADDLE_LOWER(lower_line_hint);
RADDLE_LOWER(lower_alloca);
RADDLE_LOWER(lower_cvta);
RADDLE_LOWER(lower_cluster_address);
RADDLE_LOWER(lower_policy);
RADDLE_LOWER(lower_fraction_policy);
RADDLE_LOWER(lower_rank);

// vector.cpp
RADDLE_LOWER(lower_vector_atom);
RADDLE_LOWER(lower_vector_red);
RADDLE_LOWER(lower_single_pair);  // .f32x2

// barrier.cpp, mbarrier.cpp
RADDLE_LOWER(lower_barrier);
RADDLE_LOWER(lower_cluster_wait);
RADDLE_LOWER(lower_member_mask);  // bar.warp.sync
RADDLE_LOWER(lower_mbarrier);
RADDLE_LOWER(lower_mbarrier_wait);
RADDLE_LOWER(lower_copy_arrival);  // cp.async.mbarrier.arrive.noinc

// control_flow.cpp, call.cpp
RADDLE_LOWER(lower_branch);
RADDLE_LOWER(lower_branch_table);
RADDLE_LOWER(lower_return);
RADDLE_LOWER(lower_exit);
RADDLE_LOWER(lower_call);

// video.cpp: sources and destinations may be parts of registers
RADDLE_LOWER(lower_video_scalar);
RADDLE_LOWER(lower_video_set);
RADDLE_LOWER(lower_video_mad);
RADDLE_LOWER(lower_video_halves);
RADDLE_LOWER(lower_video_bytes);
RADDLE_LOWER(lower_video_set_halves);
RADDLE_LOWER(lower_video_set_bytes);

// matrix.cpp, fragment.cpp
RADDLE_LOWER(lower_mma);
RADDLE_LOWER(lower_wmma);
RADDLE_LOWER(lower_movmatrix);
RADDLE_LOWER(lower_ldmatrix);
RADDLE_LOWER(lower_stmatrix);
RADDLE_LOWER(lower_wmma_load);
RADDLE_LOWER(lower_wmma_store);

// texture.cpp, surface.cpp
RADDLE_LOWER(lower_texture);
RADDLE_LOWER(lower_gather);
RADDLE_LOWER(lower_texture_query);
RADDLE_LOWER(lower_level_query);
RADDLE_LOWER(lower_surface_query);
RADDLE_LOWER(lower_is_type);
RADDLE_LOWER(lower_surface_load);
RADDLE_LOWER(lower_surface_store);
RADDLE_LOWER(lower_surface_reduction);

#undef RADDLE_LOWER

}  // namespace raddle::isa
