"""The instructions of random PTX kernels, by family, in the notation of grammar.py.

Registers: r 32 bits, q 64, h 16, f and d floats, p predicates; g is a guard or nothing; ro, qo, fo, do
are registers or constants. %t, %u, %v, %tf, %td, %pt hold intermediate values for a few instructions.
Where hardware leaves a result open (NaN to integer, the payload of a NaN), the value is replaced first,
so that any seed can be recorded on hardware.
"""

INTEGER = [
    '{g}{add.u32,sub.s32,mul.lo.u32,and.b32,or.b32,xor.b32} {r}, {r}, {ro};',
    '{g}{mul.hi.u32,mul.hi.s32,shl.b32,shr.u32,shr.s32,min.s32,max.u32} {r}, {r}, {ro};',
    '{g}{add.sat.s32,sub.sat.s32,mul24.lo.u32,mul24.lo.s32,mul24.hi.s32} {r}, {r}, {ro};',
    '{g}{add.u16x2,max.s16x2,min.u16x2,max.u16x2,add.s16x2} {r}, {r}, {r};',
    '{g}mad.{lo.u32,lo.s32,hi.u32,hi.s32,hi.sat.s32} {r}, {r}, {r}, {ro};',
    '{g}mad24.{lo.u32,hi.s32,lo.s32} {r}, {r}, {r}, {r};',
    '{g}sad.{u32,s32} {r}, {r}, {r}, {r};',
    '{g}lop3.b32 {r}, {r}, {r}, {ro}, {0..255};',
    '{g}lop3.{and,or}.b32 {r}|{p}, {r}, {r}, {r}, {0..255}, {notp};',
    '{g}prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} {r}, {r}, {r}, {r};',
    '{g}prmt.b32 {r}, {r}, {r}, {0..65535};',
    '{g}bfe.{u32,s32} {r}, {r}, {place}, {place};',
    '{g}bfi.b32 {r}, {r}, {r}, {place}, {place};',
    '{g}shf.{l,r}.{clamp,wrap}.b32 {r}, {r}, {r}, {ro};',
    '{g}dp4a.{u32,s32}.{u32,s32} {r}, {r}, {r}, {r};',
    '{g}dp2a.{lo,hi}.{u32,s32}.{u32,s32} {r}, {r}, {r}, {r};',
    '{g}slct.{u32,s32,b32}.s32 {r}, {r}, {r}, {r};',
    '{g}slct{,.ftz}.b32.f32 {r}, {r}, {r}, {f};',
    '{g}selp.b32 {r}, {ro}, {r}, {p};',
    '{g}{popc.b32,clz.b32,brev.b32,not.b32,cnot.b32,neg.s32,abs.s32,mov.b32} {r}, {r};',
    '{g}bfind{.u32,.s32,.shiftamt.u32} {r}, {r};',
    '{g}{popc.b64,clz.b64,bfind.u64,bfind.s64,cvt.u32.u64} {r}, {q};',
    '{g}szext.{clamp,wrap}.{u32,s32} {r}, {r}, {ro};',
    '{g}bmsk.{clamp,wrap}.b32 {r}, {r}, {ro};',
    '{g}fns.b32 {r}, {r}, {0..31}, {-3..3};',
]

DIVISION = [
    'and.b32 %t0, {r}, 0x7fffffff;\nor.b32 %t0, %t0, 1;\n{g}{div,rem}.{u32,s32} {r}, {r}, %t0;',
    '{g}{div,rem}.{u32,s32} {r}, {r}, {3,7,10,16,641,1000003};',
    '{g}{div,rem}.s32 {r}, {r}, {-3,-8,-10};',
    'and.b64 %u0, {q}, {0x7fffffffffffffff,0xffffffff};\nor.b64 %u0, %u0, 1;\n'
    '{g}{div,rem}.{u64,s64} {q}, {q}, {%u0,10,1000000007,4096};',
    'and.b16 %v0, {h}, 0x7fff;\nor.b16 %v0, %v0, 1;\n{g}{div,rem}.{u16,s16} {h}, {h}, %v0;',
]

WIDE = [
    '{g}{add.u64,sub.u64,mul.lo.u64,mul.hi.u64,mul.hi.s64,and.b64,or.b64,xor.b64} {q}, {q}, {qo};',
    '{g}{min.s64,max.u64,min.u64} {q}, {q}, {qo};',
    '{g}{shl.b64,shr.u64,shr.s64} {q}, {q}, {place};',
    '{g}mul.wide.{u32,s32} {q}, {r}, {ro};',
    '{g}mad.wide.{u32,s32} {q}, {r}, {r}, {q};',
    '{g}mad.{lo.u64,hi.u64,hi.s64} {q}, {q}, {q}, {q};',
    '{g}{brev.b64,not.b64,cnot.b64,neg.s64,abs.s64,mov.b64} {q}, {q};',
    '{g}cvt.{u64.u32,s64.s32,u64.s32} {q}, {r};',
    '{g}cvt.{s32,sat.s32,sat.u32}.s64 {r}, {q};',
    '{g}mov.b64 {q}, {{{r}, {r}}};',
    'mov.b64 {{%t0, %t1}}, {q};\nxor.b32 {r}, %t0, %t1;',
    '{g}bfe.{u64,s64} {q}, {q}, {r}, {r};',
    '{g}bfi.b64 {q}, {q}, {q}, {r}, {r};',
    '{g}sad.{u64,s64} {q}, {q}, {q}, {q};',
    '{g}slct.b64.s32 {q}, {q}, {q}, {r};',
    '{g}selp.b64 {q}, {q}, {q}, {p};',
]

NARROW = [
    '{g}{add.u16,sub.s16,mul.lo.u16,mul.hi.u16,mul.hi.s16,and.b16,or.b16,xor.b16} {h}, {h}, {h};',
    '{g}{min.s16,max.u16} {h}, {h}, {h};',
    '{g}{shl.b16,shr.u16,shr.s16} {h}, {h}, {place};',
    '{g}mul.wide.{u16,s16} {r}, {h}, {h};',
    '{g}mad.{lo.u16,lo.s16,hi.u16,hi.s16} {h}, {h}, {h}, {h};',
    '{g}mad.wide.{u16,s16} {r}, {h}, {h}, {r};',
    '{g}{neg.s16,abs.s16,not.b16,cnot.b16,mov.b16} {h}, {h};',
    '{g}cvt.{u32.u16,s32.s16,u32.s16,u32.u8,s32.s8} {r}, {h};',
    '{g}cvt.{u16.u32,s16.s32,sat.u16.s32,sat.s16.s32,sat.s16.u32} {h}, {r};',
    '{g}cvt.{sat.u8.s32,sat.s8.s32,s8.s32,u8.u32,sat.u8.u32} {r}, {r};',
    '{g}mov.b32 {r}, {{{h}, {h}}};',
    'mov.b32 {{%h0, %h{1..5}}}, {r};',
    '{g}selp.b16 {h}, {h}, {h}, {p};',
]

CARRY = [
    '{G}add.cc.u32 %t0, {r}, {ro};\n{G}addc.cc.u32 %t1, {r}, {r};\n{G}addc.u32 %t2, {r}, {ro};',
    '{G}sub.cc.s32 %t0, {r}, {r};\n{G}subc.cc.u32 %t1, {r}, {r};\n{G}subc.u32 %t2, {r}, {r};',
    '{G}mad.lo.cc.u32 %t0, {r}, {r}, {r};\n{G}madc.hi.cc.{u32,s32} %t1, {r}, {r}, {r};\n'
    '{G}addc.u32 %t2, {r}, 0;',
    '{G}add.cc.u64 %u0, {q}, {q};\n{G}addc.u64 %u1, {q}, {q};\n{G}cvt.u32.u64 %t0, %u1;\n'
    '{G}cvt.u32.u64 %t1, %u0;\n{G}mov.b32 %t2, {r};',
]
CARRY = [sequence + '\nlop3.b32 {r}, %t0, %t1, %t2, 0x96;' for sequence in CARRY]

PREDICATE = [
    '{g}setp.{icmp}.{u32,s32} {p}, {r}, {ro};',
    '{g}setp.{lo,ls,hi,hs}.u32 {p}, {r}, {ro};',
    '{g}setp.{icmp}.{and,or,xor}.{u32,s32} %p0|%p{1..5}, {r}, {ro}, {notp};',
    '{g}setp.{icmp}.{u64,s64} {p}, {q}, {qo};',
    '{g}setp.{icmp}.{and,or,xor}.{u16,s16} {p}, {h}, {h}, {p};',
    '{g}setp.{fcmp}{,.ftz}.f32 {p}, {f}, {fo};',
    '{g}setp.{fcmp}.{and,or,xor}.f32 %p1|%p{2..5}, {f}, {f}, {notp};',
    '{g}setp.{fcmp}.f64 {p}, {d}, {do};',
    '{g}{and,or,xor}.pred {p}, {p}, {p};',
    '{g}{not,mov}.pred {p}, {p};',
    '{g}set.{icmp}.{u32,s32}.{u32,s32} {r}, {r}, {ro};',
    '{g}set.{fcmp}.u32.f32 {r}, {f}, {f};',
    'set.{icmp}.{and,or,xor}.f32.{u32,s32} {f}, {r}, {r}, {p};',
    'testp.{finite,infinite,number,notanumber,normal,subnormal}.f32 {p}, {f};',
    'testp.{finite,infinite,number,notanumber,normal,subnormal}.f64 {p}, {d};',
]

SINGLE = [
    '{g}{add,sub,mul}.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32 {f}, {f}, {fo};',
    '{g}fma.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32 {f}, {f}, {f}, {fo};',
    '{g}div.{rn,rz,rm,rp,approx,full}{,.ftz}.f32 {f}, {f}, {fo};',
    '{g}{rcp.rn,rcp.rz,sqrt.rn,sqrt.rp}{,.ftz}.f32 {f}, {f};',
    '{g}{rcp,sqrt,rsqrt,sin,cos,lg2,ex2}.approx{,.ftz}.f32 {f}, {f};',
    '{g}tanh.approx.f32 {f}, {f};',
    '{g}{min,max}{,.ftz}{,.NaN}.f32 {f}, {f}, {fo};',
    '{g}cvt.rn.f32.{u32,s32} {f}, {r};',
    '{g}cvt.{rn,rz,rm,rp}.f32.{u64,s64} {f}, {q};',
    '{g}cvt.{rni,rzi,rmi,rpi,rni.ftz,rzi.sat,sat}.f32.f32 {f}, {f};',
    '{g}cvt.{rn,rz,rm,rp,rn.sat,rz.ftz}.f32.f64 {f}, {d};',
    '{g}selp.f32 {f}, {f}, {fo}, {p};',
    'and.b32 %t0, {r}, 0x807fffff;\nor.b32 %t0, %t0, {exponent32};\nmov.b32 {f}, %t0;',
    'testp.notanumber.f32 %pt, %f0;\nmov.b32 %t0, %f0;\nselp.b32 %t0, 0x7fc00000, %t0, %pt;\n'
    '{g}xor.b32 {r}, {r}, %t0;',
    'testp.notanumber.f32 %pt, %f1;\nselp.f32 %tf0, 0f40A00000, %f1, %pt;\n'
    '{g}cvt.{rzi,rni,rmi,rpi}{,.ftz}.{u32,s32}.f32 {r}, %tf0;',
    'testp.notanumber.f32 %pt, %f2;\nselp.f32 %tf0, 0f40A00000, %f2, %pt;\n'
    '{g}cvt.{rzi,rni}.{u64,s64}.f32 {q}, %tf0;',
]

DOUBLE = [
    '{g}{add,sub,mul}.{rn,rz,rm,rp}.f64 {d}, {d}, {do};',
    '{g}fma.{rn,rz,rm,rp}.f64 {d}, {d}, {d}, {d};',
    '{g}div.{rn,rz,rp}.f64 {d}, {d}, {do};',
    '{g}{rcp.rn,sqrt.rn,sqrt.rm,rcp.approx.ftz,rsqrt.approx.ftz}.f64 {d}, {d};',
    '{g}{min,max}.f64 {d}, {d}, {do};',
    '{g}cvt.rn.f64.{u32,s32} {d}, {r};',
    '{g}cvt.{rn,rz,rm}.f64.{u64,s64} {d}, {q};',
    '{g}cvt.f64.f32 {d}, {f};',
    '{g}cvt.{rni,rzi,rmi,rpi}.f64.f64 {d}, {d};',
    'and.b64 %u0, {q}, 0x800fffffffffffff;\nor.b64 %u0, %u0, {exponent64};\nmov.b64 {d}, %u0;',
    'testp.notanumber.f64 %pt, %d0;\nmov.b64 %u0, %d0;\n'
    'selp.b64 %u0, 0x7ff8000000000000, %u0, %pt;\n{g}xor.b64 {q}, {q}, %u0;',
    'testp.notanumber.f64 %pt, %d1;\nselp.f64 %td0, 0d4000000000000000, %d1, %pt;\n'
    '{g}cvt.{rzi,rni,rmi,rpi}.{u32,s32}.f64 {r}, %td0;',
]

PACKED = [
    '{g}{add,sub,mul}.rn{,.ftz,.sat,.ftz.sat}.f16 {h}, {h}, {h};',
    '{g}{add,sub,mul}.rn.f16x2 {r}, {r}, {r};',
    '{g}fma.rn{,.ftz,.sat,.relu}.f16x2 {r}, {r}, {r}, {r};',
    '{g}fma.rn.bf16x2 {r}, {r}, {r}, {r};',
    '{g}{min,max}{,.NaN}.{f16x2,bf16x2} {r}, {r}, {r};',
    '{g}cvt.f32.f16 {f}, {h};',
    '{g}cvt.{rn,rz,rm,rp}.f16.f32 {h}, {f};',
    '{g}cvt.{rn,rz}.f16.{u32,s32} {h}, {r};',
    '{g}setp.{fcmp}.f16 {p}, {h}, {h};',
    '{g}cvt.rn.bf16x2.f32 {r}, {f}, {f};',
    '{g}v{add,sub,absdiff,min,max}.u32.u32.u32 {r}, {r}.{b0,b1,b3,h0,h1}, {r}.{b2,h1,b0};',
    '{g}vadd.s32.s32.s32.{add,min,max} {r}, {r}.{b0,b3,h1}, {r}.{b2,h1,h0}, {r};',
    '{g}vset.u32.u32.{icmp} {r}, {r}, {r};',
    '{g}vabsdiff{2,4}.s32.s32.s32.add {r}, {r}, {r}, {r};',
    '{g}vmad.u32.u32.u32{,.shr7,.shr15} {r}, {r}.{b0,h1}, {r}.{b1,h0}, {r};',
]

# Each block of memory by its own address: %u3 of global memory, %t3 elsewhere.
INPUT = 'and.b32 %t3, {r}, 0x3ff0;\ncvt.u64.u32 %u3, %t3;\nadd.u64 %u3, %in, %u3;\n'
SCRATCH = 'and.b32 %t3, {r}, 0x78;\ncvt.u64.u32 %u3, %t3;\nadd.u64 %u3, %scratch, %u3;\n'
GLOBAL = 'and.b32 %t3, {r}, 0x78;\ncvt.u64.u32 %u3, %t3;\nadd.u64 %u3, %global, %u3;\n'
LOCAL = 'and.b32 %t3, {r}, 0x38;\nadd.u32 %t3, %t3, %local;\n'
SHARED = 'and.b32 %t3, {r}, 0x8;\nadd.u32 %t3, %t3, %shared;\n'

READING = [INPUT + access for access in (
    '{g}ld.global{,.nc,.ca,.cg,.cs}.{u32,s32,b32} {r}, [%u3+{0,4,8,12}];',
    '{g}ld.global{,.nc}.u64 {q}, [%u3+{0,8}];',
    '{g}ld.global.{u16,s16} {h}, [%u3+{0,2,6,14}];',
    '{g}ld.global.{u8,s8,u16,s16} {r}, [%u3+{0,2,10}];',
    '{g}ld.{s8,s32} {q}, [%u3+{0,4,8}];',
    '{g}ld.global.f32 {f}, [%u3+{0,4,8}];',
    '{g}ld.global.f64 {d}, [%u3+{0,8}];',
    '{g}ld.global.v4.u32 {{%r0, %r3, %r5, %r7}}, [%u3];',
    '{g}ld.global.v2.u64 {{%q0, %q{1..5}}}, [%u3];',
    '{g}ld.global.nc.v2.f32 {{%f0, %f{1..5}}}, [%u3];',
    '{g}ld.global.v4.u8 {{%r1, %r2, %r4, %r11}}, [%u3+4];',
    '{g}ld.global.v2.s16 {{%h0, %h{1..5}}}, [%u3+4];')]

PRIVATE = [SCRATCH + access for access in (
    '{g}st.global{,.wb,.cg,.wt}.u32 [%u3], {r};',
    '{g}st.global.u64 [%u3], {q};',
    '{g}st.global.{u8,b8} [%u3+3], {r};',
    '{g}st.global.u16 [%u3+2], {h};',
    '{g}st.global.v2.u32 [%u3], {{{r}, {r}}};',
    '{g}st.{volatile,relaxed.gpu}.global.u32 [%u3+4], {r};',
    '{g}ld.{global,volatile.global,relaxed.gpu.global,acquire.gpu.global}.u32 {r}, [%u3+{0,4}];',
    '{g}ld.s8 {r}, [%u3+5];',
    '{g}atom.global.{add.u32,and.b32,or.b32,xor.b32,min.s32,max.u32,exch.b32} {r}, [%u3], {r};',
    '{g}atom.global.{inc.u32,dec.u32,min.u32} {r}, [%u3+4], {r};',
    '{g}atom.{add.u64,and.b64,xor.b64,min.s64,max.u64,exch.b64} {q}, [%u3], {q};',
    '{g}atom.global.cas.b32 {r}, [%u3], 0x11111111, {r};',
    '{g}atom.global.cas.b16 {h}, [%u3+2], {h}, {h};',
    '{g}red.global.add.u32 [%u3], {r};')]

# A place for each operation: in any order they come to the same.
REDUCING = [GLOBAL + f'{{g}}red.global.{operation} [%u3+{128 * place}], {{{register}}};'
            for place, (operation, register) in enumerate((
                ('add.u32', 'r'), ('min.u32', 'r'), ('max.s32', 'r'), ('or.b32', 'r'),
                ('xor.b32', 'r'), ('add.u64', 'q'), ('max.u64', 'q')))]

OWN = [LOCAL + access for access in (
    '{g}st.local.u32 [%t3], {r};', '{g}ld.local.u32 {r}, [%t3+4];', '{g}st.local.u64 [%t3], {q};',
    '{g}ld.local.u64 {q}, [%t3];', '{g}ld.local.s8 {r}, [%t3+3];', '{g}st.local.u16 [%t3+6], {h};',
    '{g}st.local.v2.f32 [%t3], {{0f3F000000, 0f40000000}};',
    'cvt.u64.u32 %u3, %t3;\ncvta.local.u64 %u3, %u3;\n{g}{generic}')]

SHARED_ACCESS = [SHARED + access for access in (
    '{g}st.shared.u32 [%t3], {r};', '{g}ld.shared.u32 {r}, [%t3+4];', '{g}st.shared.u64 [%t3], {q};',
    '{g}ld.shared.u64 {q}, [%t3];', '{g}ld.shared.u8 {r}, [%t3+5];',
    '{g}atom.shared.add.u32 {r}, [%t3], {r};', '{g}atom.shared.exch.b64 {q}, [%t3], {q};',
    'cvt.u64.u32 %u3, %t3;\ncvta.shared.u64 %u3, %u3;\n{g}{generic}')]

CONSTANT = [
    'and.b32 %t3, {r}, 0x7c;\nmov.u64 %u3, {table};\ncvt.u64.u32 %u4, %t3;\nadd.u64 %u3, %u3, %u4;\n'
    '{g}ld.const.u32 {r}, [%u3];',
    '{g}mov.u32 {r}, {%tid.x,%tid.y,%ntid.x,%ctaid.x,%nctaid.x,%laneid,%lanemask_lt,%lanemask_ge};',
    'mov.b32 %t0, %r0;\nmov.b32 %r0, %r{1..11};\nmov.b32 %r4, %t0;',
]

# Family, and how often it comes.
FAMILIES = ((INTEGER, 22), (DIVISION, 4), (WIDE, 8), (NARROW, 7), (CARRY, 3), (PREDICATE, 9),
            (SINGLE, 14), (DOUBLE, 9), (PACKED, 5), (READING, 5), (PRIVATE, 5), (REDUCING, 2),
            (OWN, 3), (SHARED_ACCESS, 3), (CONSTANT, 3))
# What a function may do: nothing with memory that lies at the kernel's addresses, but reading.
FUNCTION_FAMILIES = FAMILIES[:9] + ((READING, 5), (OWN, 3))

# By all lanes of all warps together. `%shared` is the thread's own slot of 16 bytes.
TOGETHER = [
    'bar.sync 0;',
    'shfl.sync.up.b32 {r}|{p}, {r}, {0..31}, {0,4096,6144,7168}, -1;',
    'shfl.sync.{down,bfly,idx}.b32 {r}|{p}, {r}, {place}, {31,4127,6175,7199}, -1;',
    'vote.sync.{all,any,uni}.pred {p}, {notp}, -1;',
    'vote.sync.ballot.b32 {r}, {notp}, -1;',
    'and.b32 %t0, {r}, {0,1,3,9};\nmatch.any.sync.b32 {r}, %t0, -1;',
    'and.b64 %u0, {q}, {0,1,3};\nmatch.all.sync.b64 {r}|{p}, %u0, -1;',
    'redux.sync.{add.u32,add.s32,min.s32,max.u32,and.b32,or.b32,xor.b32} {r}, {r}, -1;',
    'barrier.cta.red.popc.aligned.u32 {r}, 0, {p};',
    'bar.red.{and,or}.pred {p}, 0, {p};',
    'st.shared.u32 [%shared], {r};\nbar.sync 0;\nadd.u32 %t0, %thread, 5;\nrem.u32 %t0, %t0, %threads;\n'
    'shl.b32 %t0, %t0, 4;\nmov.u32 %t1, slots;\nadd.u32 %t0, %t0, %t1;\nld.shared.u32 %t2, [%t0];\n'
    'xor.b32 {r}, {r}, %t2;\nbar.sync 0;',
]
