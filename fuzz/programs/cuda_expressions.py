"""Expressions of random CUDA kernels, by type, in the notation of grammar.py: u and i have 32 bits, U and
I 64 (i and I are signed), f and d are floats, c is a condition. Each has a value that C++ defines,
whatever its operands are, and that CUDA and the host compute alike.
"""

UNSIGNED = [
    '({u} {+,-,*,&,|,^} {u})', '({u} {+,-,*,^} {u})', '({u} << ({u} & 31))', '({u} >> ({u} & 31))',
    '({u} {divide} ({u} | 1u))', '({u} {divide} {3,5,7,10,16,100,641,1000003}u)', '(u32)({c})',
    '(u32)({i})', '(u32)({U})', 'folded({U})', '({c} ? {u} : {u})', '(~{u})', '(0u - {u})',
    'min({u}, {u})', 'max({u}, {u})', '{intrinsic}', '{intrinsic}', '{memory}', '{memory}',
]
SIGNED = [
    '(i32)((u32){i} {+,-,*} (u32){i})', '(i32)((u32){i} {+,-,*} (u32){i})', '({i} {&,|,^} {i})',
    '({i} >> ({u} & 31))', '({i} {divide} (i32)(({u} & 0xfff) + 1))',
    '({i} {divide} -(i32)(({u} & 0xfff) + 2))', '({i} {divide} {3,-5,7,10,-16,8,1000003})',
    '(i32){u}', '(i32)({I})', '(i32)({c})', '({c} ? {i} : {i})', 'min({i}, {i})', 'max({i}, {i})',
    '__mulhi({i}, {i})', '__hadd({i}, {i})', '(i32)(signed char)({u})', '(i32)(short)({u})',
]
WIDE = [
    '({U} {+,-,*,&,|,^} {U})', '({U} {+,-,*,&,|,^} {U})', '({U} << ({u} & 63))', '({U} >> ({u} & 63))',
    '({U} {divide} ({U} | 1))', '({U} {divide} ((u64){u} | 1))', '(u64){u}', '(u64)({i})', '(u64)({I})',
    '((u64){u} * {u})', '__umul64hi({U}, {U})', '({c} ? {U} : {U})', '__brevll({U})',
    '(((u64){u} << 32) | {u})',
]
WIDE_SIGNED = [
    '(i64)((u64){I} {+,-,*} (u64){I})', '({I} >> ({u} & 63))', '({I} {divide} (i64)((u64){u} + 1))',
    '(i64)({i})', '((i64)({i}) * (i64)({i}))', '(i64)({U})', '(i64)__mul64hi({I}, {I})',
]
SINGLE = [
    '({f} {+,-,*} {f})', '({f} {+,*} {f})', '({f} / {f})', '__fsqrt_rn(fabsf({f}))',
    'fmaf({f}, {f}, {f})', '(float){u}', '(float)({i})', '(float){U}', '(float)({I})', '(float){d}',
    '({c} ? {f} : {f})', '{floorf,truncf,rintf,ceilf,fabsf}({f})', '(- {f})', 'as_float({u})',
    'as_float(({u} & 0x807fffffu) | ((110u + ({u} & 31u)) << 23))',
]
DOUBLE = [
    '({d} {+,-,*} {d})', '({d} {+,*} {d})', '({d} / {d})', '__dsqrt_rn(fabs({d}))',
    'fma({d}, {d}, {d})', '(double){u}', '(double)({i})', '(double){U}', '(double)({I})',
    '(double){f}', '{floor,rint}({d})', '({c} ? {d} : {d})',
]
CONDITION = [
    '({u} {<,<=,==,!=,>,>=} {u})', '(({u} & {1u,3u,6u,0x80u,p.lane}) {==,!=} 0u)',
    '({i} {<,<=,>} {i})', '({U} {<,==,>=} {U})', '({I} < {I})',
    '((p.lane {&,^,+,%} {1..31}u) {<,>,==} {0..16}u)', '({c} {&&,||} {c})', '(!{c})',
]
FLOAT_CONDITION = ['({f} {<,<=,==,!=,>,>=} {f})', '(!({d} < {d}))']
# Of a float what is not left open: which NaN it is.
FROM_FLOAT = ['to_unsigned({f})', 'bits({f})', 'folded(bits({d}))', '(u32)to_int({f})',
              'folded((u64)to_long({d}))']
INTRINSIC = [
    '(u32)__popc({u})', '(u32)__clz({u})', '(u32)__ffs({u})', '__brev({u})',
    '__byte_perm({u}, {u}, {u} & 0x7777u)', '__funnelshift_{l,r,lc,rc}({u}, {u}, {u})',
    '__umulhi({u}, {u})', '__umul24({u}, {u})', '__usad({u}, {u}, {u})', '__sad({i}, {i}, {u})',
    '__uhadd({u}, {u})', '__urhadd({u}, {u})', '(u32)__popcll({U})', '(u32)__clzll((i64){U})',
    '(u32)__ffsll((i64){U})',
]
MEMORY = [
    'in[{u} & 4095]', '__ldg(in + ({u} & 4095))', '(u32)((const unsigned char*)in)[{u} & 16383]',
    '(u32)(i32)((const short*)in)[{u} & 8191]', 'folded(((const u64*)in)[{u} & 2047])', 'table[{u} & 31]',
    'words[{u} & 15]', 'words[{u} & 15]', '(u32)bytes[{u} & 31]',
    '(u32)(i32)(signed char)bytes[{u} & 31]', 'one.a', 'many[{u} & 3].a', '(u32)one.h',
    '(u32)(i32)many[{u} & 3].c', '(u32)small.h[{u} % 3u]', '(u32)small.q[{u} % 5u]',
    'folded(many[{u} & 3].b)',
]
CONSTANT = ['{bits}u', '{0..40}u', '{0xffffffff,0x80000000,0x7fffffff,1,0,0xffff,32,31}u', 'p.index',
            'p.lane', 'p.seed']
LEAVES = {
    'i': '(i32){constant}', 'U': '(u64){constant}', 'I': '(i64)(i32){constant}', 'f': '{-9..9}.0f',
    'd': '{-9..9}.5', 'u': '{constant}',
}

ASSIGNMENT = [
    '{to_u} = {u};', '{to_u} {+=,^=,-=,*=,|=} {u};', '{to_i} = {i};', '{to_U} = {U};',
    '{to_U} {+=,^=} {U};', '{to_I} = {I};', 'words[{u} & 15] {=,+=,^=} {u};',
    'bytes[{u} & 31] = (unsigned char){u};', 'one.a = {u};', 'one.h ^= (uint16_t){u};',
    'many[{u} & 3].a = {u};', 'many[{u} & 3].h = (uint16_t){u};',
    'many[{u} & 3].c = (signed char){u};', 'many[{u} & 3].b = {U};', 'many[{u} & 3] = one;',
    'one = many[{u} & 3];', 'many[{u} & 3] = many[{u} & 3];',
    'small.q[{u} % 5u] += (unsigned char){u};', 'small.h[{u} % 3u] -= (uint16_t){u};',
]
FLOAT_ASSIGNMENT = ['{to_f} = {f};', '{to_f} = {f};', '{to_d} = {d};', 'one.f = {f};', 'one.d = {d};',
                    '{to_f} = one.f;', '{to_d} = one.d;']
# A thread's own words, and sums of all that come to the same in any order.
GLOBAL = [
    'mine[{u} & 15] = {u};', '{to_u} ^= mine[{u} & 31];', '((volatile u32*)mine)[{u} & 31] = {u};',
    '{to_u} += atomicExch(&mine[{u} & 31], {u});', '{to_u} += atomicAdd(&mine[{u} & 31], {u});',
    '{to_u} ^= atomicCAS(&mine[{u} & 31], 0x11111111u, {u});',
    '{to_u} += atomicInc(&mine[31], {u} & 15u);', 'atomicAdd(&global[{u} & 63], {u});',
    'atomicMin(&global[64 + ({u} & 31)], {u});', 'atomicMax(&global[96 + ({u} & 31)], {u});',
    'atomicOr(&global[128 + ({u} & 31)], {u});', 'atomicXor(&global[160 + ({u} & 31)], {u});',
    'atomicMax((int*)&global[192 + ({u} & 31)], (int)({i}));',
    'atomicAdd((unsigned long long*)&global[256 + 2 * ({u} & 31)], (unsigned long long)({U}));',
    'atomicAdd((float*)&global[384 + ({u} & 15)], (float)({u} & 255u));',
    'atomicSub(&global[400 + ({u} & 15)], {u});',
    '{{ u32 seen = global[416], was; do {{ was = seen; seen = atomicCAS(&global[416], was, was + {u}); }}'
    ' while (seen != was); }}',
]
# By all lanes of mask M.
WARP = [
    '{to_u} = __shfl_sync(M, {u}, (int)nth_lane(M, {u}));', '{to_i} = __shfl_sync(M, {i}, (int)nth_lane(M, {u}));',
    '{to_u} ^= __ballot_sync(M, {c});', '{to_u} += (u32)(__any_sync(M, {c}) != 0);',
    '{to_u} -= (u32)(__all_sync(M, {c}) != 0);', '{to_u} ^= __match_any_sync(M, {u} & {1u,3u,7u,0x11u});',
    '{to_u} ^= __reduce_{add,min,max,and,or,xor}_sync(M, {u});',
    '{to_i} = __reduce_{min,max}_sync(M, {i});', '__syncwarp(M);', '{shuffle}',
]
WARP_FLOAT = ['{to_f} = __shfl_sync(M, {f}, (int)nth_lane(M, {u}));',
              '{to_d} = __shfl_sync(M, {d}, (int)nth_lane(M, {u}));']
# By all threads of a block.
BLOCK = [
    'shared[p.in_block] = {u}; __syncthreads(); {to_u} ^= shared[{u} % p.threads]; __syncthreads();',
    'shared[p.in_block] = {u}; __syncthreads(); {to_u} += shared[p.threads - 1 - p.in_block]; '
    '__syncthreads();',
    '{to_u} += (u32)__syncthreads_{count,or,and}({c} ? 1 : 0) != 0;',
    '{to_u} += (u32)__syncthreads_count({c});',
    'for (u32 k = p.in_block; k < 32; k += p.threads) sums[k] = 0; __syncthreads(); if ({c}) atomic{Add,Max,Or,Xor}(&sums[{u} & 31], {u}); '
    '__syncthreads(); {to_u} ^= sums[{u} & 31]; __syncthreads();',
]
