#!/usr/bin/env python3
"""Writes a module of random PTX kernels: ptx_kernels.py SEED [KERNELS, 4]

The kernels have the parameters of tests/random_programs/program.h and no races: each thread writes
memory of its own, and what all write is reduced by operations in any order. Control flow is whatever
branches can make: structured and not, loops that lanes leave at different times, jump tables,
functions that recurse and are called through pointers, early exits.
"""
import random
import sys

import ptx_instructions as table
from grammar import Grammar

INTEGER_COMPARISONS = 'eq ne lt le gt ge'.split()
FLOAT_COMPARISONS = 'eq ne lt le gt ge equ neu ltu leu gtu geu num nan'.split()
REGISTERS = """.reg .b32 %r<12>, %t<8>, %k<8>; .reg .b64 %q<6>, %u<8>; .reg .f32 %f<6>, %tf<2>;
.reg .f64 %d<4>, %td<2>; .reg .b16 %h<6>, %v<2>; .reg .pred %p<6>, %pt, %loop;
.reg .b64 %in, %out, %global, %scratch; .reg .b32 %thread, %threads, %index, %local, %shared, %seed;"""
SIGNATURE = '(.param .b32 result) {}(.param .b32 a, .param .b64 b, .param .align 8 .b8 c[16])'
# Of whole warps, for kernels that synchronize, and of others.
WHOLE = [((2, 1, 1), (64, 1, 1)), ((1, 2, 1), (32, 3, 1)), ((1, 1, 2), (16, 4, 2)),
         ((1, 1, 1), (256, 1, 1)), ((3, 1, 1), (32, 1, 1))]
PARTIAL = [((1, 1, 1), (45, 1, 1)), ((2, 1, 1), (77, 1, 1)), ((1, 3, 1), (5, 7, 1)),
           ((2, 1, 2), (3, 3, 3)), ((1, 1, 1), (1, 1, 1))]
WORDS, OUT_BYTES, SCRATCH_BYTES, SLOT_BYTES = 12, 64, 128, 16


class Kernel(Grammar):
    def __init__(self, seed, name):
        super().__init__(random.Random(seed), {})
        self.name, self.labels, self.functions = name, 0, []
        self.loops = 0  # around here
        self.inside = False  # a function
        self.rules = {
            'r': lambda: self.register('r', 12), 'q': lambda: self.register('q', 6),
            'h': lambda: self.register('h', 6), 'f': lambda: self.register('f', 6),
            'd': lambda: self.register('d', 4), 'p': lambda: self.register('p', 6),
            'notp': ['{p}', '!{p}'],
            'g': ['', '', '', '@{notp} '],
            'icmp': INTEGER_COMPARISONS, 'fcmp': FLOAT_COMPARISONS,
            'place': ['{r}', '{0..33}'], 'bits': lambda: f'{self.random.getrandbits(32):#x}',
            'ro': ['{r}'] * 6 + ['{-9..40}', '{bits}', '{-1,0x80000000,31,32}'],
            'qo': ['{q}'] * 6 + ['{1,-1,63,0x123456789abcdef}'],
            'fo': ['{f}'] * 6 + ['{0f3F800000,0fBF000000,0f00000001,0f7F800000,0f80000000}'],
            'do': ['{d}'] * 6 + ['{0d3FF0000000000000,0dBFE0000000000000,0d0000000000000001}'],
            'exponent32': lambda: hex(self.number(115, 140) << 23),
            'exponent64': lambda: hex(self.number(1010, 1040) << 52),
            'table': ['table_' + name], 'generic': ['ld.u32 {r}, [%u3];', 'st.u32 [%u3], {r};'],
        }

    def register(self, kind, count):
        return f'%{kind}{self.number(0, count - 1)}'

    def label(self):
        self.labels += 1
        return f'L{self.labels}_{self.name}'

    def lines(self, template):
        # Instructions that follow each other under one guard.
        self.rules['G'] = [self.rule('g')]
        return self.expand(template).split('\n')

    def straight(self, count):
        families = table.FUNCTION_FAMILIES if self.inside else table.FAMILIES
        kinds, weights = zip(*families)
        return [line for kind in self.random.choices(kinds, weights, k=count)
                for line in self.lines(self.pick(kind))]

    def body(self, depth, count):
        return [line for _ in range(count) for line in self.region(depth)]

    # Regions of control flow: lists of lines.

    def region(self, depth):
        if depth <= 0:
            return self.straight(self.number(2, 6))
        kinds = [self.straight_region, self.skip, self.skip, self.two_sides, self.two_sides, self.call,
                 self.jump_table]
        if self.loops < 2:
            kinds += [self.counted_loop, self.lane_loop, self.tangle]
        return self.pick(kinds)(depth)

    def straight_region(self, _):
        return self.straight(self.number(2, 6))

    def skip(self, depth):
        end = self.label()
        return [self.expand('@{notp} bra ') + end + ';', *self.body(depth - 1, self.number(1, 2)),
                end + ':']

    def two_sides(self, depth):
        other, end = self.label(), self.label()
        return [self.expand('@{notp} bra ') + other + ';', *self.body(depth - 1, self.number(1, 2)),
                f'bra {end};', other + ':', *self.body(depth - 1, self.number(1, 2)), end + ':']

    def counted_loop(self, depth):
        top = self.label()
        self.loops += 1
        counter, rounds, step = f'%k{self.loops}', self.number(1, 9), self.pick([1, 1, 2, 3])
        lines = [f'mov.u32 {counter}, 0;', top + ':']
        if self.chance(.3):
            lines.append('.pragma "nounroll";')
        if self.chance(.5):
            lines.append(self.expand('add.u32 %r3, {r}, ') + counter + ';')
        lines += self.body(depth - 1, self.number(1, 2))
        lines += [f'add.u32 {counter}, {counter}, {step};',
                  self.expand('setp.lt.{u32,s32} %loop, ') + f'{counter}, {rounds};',
                  f'@%loop bra {top};']
        self.loops -= 1
        return lines

    def lane_loop(self, depth):
        top, end = self.label(), self.label()
        self.loops += 1
        counter = f'%k{self.loops}'
        lines = [self.expand('and.b32 ') + f'{counter}, ' + self.expand('{r}, 7;'), top + ':',
                 f'setp.eq.u32 %loop, {counter}, 0;', f'@%loop bra {end};',
                 f'sub.u32 {counter}, {counter}, 1;', *self.body(depth - 1, self.number(1, 2))]
        if self.chance(.4):
            lines.append(self.expand('@{notp} bra ') + self.pick([top, end]) + ';')
        if self.chance(.3):
            lines += self.straight(2)
        self.loops -= 1
        return [*lines, f'bra {top};', end + ':']

    def jump_table(self, _):
        places, end, targets = [self.label() for _ in range(self.number(2, 5))], self.label(), self.label()
        lines = [f'{targets}: .branchtargets {", ".join(places)};',
                 self.expand('rem.u32 %t0, {r}, ') + f'{len(places)};', f'brx.idx %t0, {targets};']
        for place in places:
            lines += [place + ':', *self.straight(self.number(1, 3))]
            if self.chance(.7):
                lines.append(f'bra {end};')
        return [*lines, end + ':']

    def tangle(self, _):
        """Blocks that jump to one another at will; a counter ends it."""
        places, end = [self.label() for _ in range(self.number(4, 10))], self.label()
        self.loops += 1
        counter = f'%k{self.loops}'
        lines = [f'mov.u32 {counter}, {self.number(6, 24)};']
        if self.chance(.5):
            lines.append(self.expand('@{p} bra ') + self.pick(places) + ';')
        for place in places:
            lines += [place + ':', f'sub.u32 {counter}, {counter}, 1;',
                      f'setp.eq.u32 %loop, {counter}, 0;', f'@%loop bra {end};',
                      *self.straight(self.number(1, 4))]
            lines += self.call(0) if self.chance(.1) else []
            for _ in range(self.number(0, 2)):
                lines.append(self.expand('@{notp} bra ') + self.pick([*places, end]) + ';')
            if self.chance(.2):
                lines.append(f'bra {self.pick(places)};')
            elif self.chance(.2):
                targets = self.label()
                lines += [f'{targets}: .branchtargets {", ".join(self.random.sample(places, 4))};',
                          self.expand('and.b32 %t0, {r}, 3;'), f'brx.idx %t0, {targets};']
        self.loops -= 1
        return [*lines, end + ':']

    # Functions.

    def call(self, _):
        if not self.functions:
            return self.straight(2)
        lines = ['{', '.param .b32 xa;', '.param .b64 xb;', '.param .align 8 .b8 xc[16];',
                 '.param .b32 xr;', *self.lines('st.param.b32 [xa], {r};\nst.param.b64 [xb], {q};\n'
                                                'st.param.b64 [xc], {q};\nst.param.b32 [xc+8], {r};\n'
                                                'st.param.f32 [xc+12], {fo};')]
        if not self.inside and self.chance(.4):
            lines += [*self.lines('and.b32 %t0, {r}, 1;\nsetp.eq.u32 %pt, %t0, 1;'),
                      f'mov.u64 %u0, {self.functions[0]};', f'mov.u64 %u1, {self.functions[-1]};',
                      'selp.b64 %u0, %u0, %u1, %pt;', f'call (xr), %u0, (xa, xb, xc), shape_{self.name};']
        else:
            lines.append(f'call (xr), {self.pick(self.functions)}, (xa, xb, xc);')
        return [*lines, 'ld.param.b32 %t0, [xr];', '}', *self.lines('{g}xor.b32 {r}, {r}, %t0;')]

    def function(self, name):
        """May call itself, with less each time, or one that came before."""
        self.inside = True
        lines = [*self.clear(), '.local .align 8 .b8 own[64];', 'mov.u32 %local, own;',
                 *(f'st.local.u64 [own+{8 * word}], {word};' for word in range(8)),
                 'ld.param.b32 %r0, [a];', 'ld.param.b64 %q0, [b];', 'ld.param.b64 %q1, [c];',
                 'ld.param.b32 %r1, [c+8];', 'ld.param.f32 %tf1, [c+12];',
                 *self.input_address(), 'mov.b64 {%r2, %r3}, %q0;', 'mov.b64 {%r4, %r5}, %q1;',
                 *(f'mad.lo.u32 %r{word}, %r0, {2 * word + 1}, %r{word - 5};' for word in range(6, 12)),
                 *self.fill()]
        if self.chance(.35):
            end = self.label()
            lines += ['and.b32 %t0, %r0, 7;', 'setp.eq.u32 %pt, %t0, 0;', f'@%pt bra {end};',
                      '{', '.param .b32 xa;', '.param .b64 xb;', '.param .align 8 .b8 xc[16];',
                      '.param .b32 xr;', 'sub.u32 %t1, %t0, 1;', 'st.param.b32 [xa], %t1;',
                      'st.param.b64 [xb], %q1;', 'st.param.b64 [xc], %q2;',
                      'st.param.b32 [xc+8], %r5;', 'st.param.f32 [xc+12], 0f3F800000;',
                      f'call (xr), {name}, (xa, xb, xc);', 'ld.param.b32 %t1, [xr];', '}',
                      'add.u32 %r3, %r3, %t1;', end + ':', *self.body(1, 1)]
        else:
            lines += self.body(2, self.number(1, 3))
        if self.chance(.4):
            lines += ['xor.b32 %t7, %r1, %r4;', 'st.param.b32 [result], %t7;',
                      self.expand('@{p} ret;'), *self.body(1, 1)]
        lines += ['mov.b64 {%t0, %t1}, %q0;', 'lop3.b32 %t0, %t0, %t1, %r0, 0x96;',
                  'add.u32 %t0, %t0, %r3;', 'st.param.b32 [result], %t0;', 'ret;']
        self.inside = False
        self.functions = [name]
        return ['.func ' + SIGNATURE.format(name), '{', *REGISTERS.split('\n'), *lines, '}']

    @staticmethod
    def input_address():
        return ['mov.u64 %u0, input;', 'ld.global.u64 %in, [%u0];']

    # The kernel.

    def fill(self):
        """Gives all registers values that follow from the first twelve."""
        lines = []
        for n in range(6):
            lines += [f'cvt.u16.u32 %h{n}, %r{n + 3};',
                      f'setp.lt.s32 %p{n}, %r{n}, %r{(n * 5 + 3) % 12};',
                      f'mov.b64 %q{n}, {{%r{n}, %r{11 - n}}};',
                      f'and.b32 %t0, %r{n + 2}, 0x807fffff;',
                      f'or.b32 %t0, %t0, {self.number(118, 136) << 23:#x};', f'mov.b32 %f{n}, %t0;']
        return lines + [f'cvt.rn.f64.s32 %d{n}, %r{n};' for n in range(4)]

    @staticmethod
    def clear():
        """Registers for intermediate values, which keep what they had where a guard is false."""
        return ([f'mov.u32 %t{n}, {n};' for n in range(8)] + [f'mov.u32 %k{n}, 1;' for n in range(8)] +
                [f'mov.u64 %u{n}, {n};' for n in range(8)] + ['mov.b16 %v0, 1;', 'mov.b16 %v1, 1;'])

    def begin(self):
        lines = [*self.clear(), '.local .align 8 .b8 own[64];', 'mov.u32 %local, own;',
                 *(f'st.local.u64 [own+{8 * word}], {self.random.getrandbits(31)};' for word in range(8))]
        if self.functions:
            lines.append(f'shape_{self.name}: .callprototype ' + SIGNATURE.format('_')
                         .replace('result', '_').replace(' a,', ' _,').replace(' b,', ' _,')
                         .replace(' c[', ' _[') + ';')
        for name in ('in', 'out', 'global', 'scratch'):
            lines += [f'ld.param.u64 %{name}, [{name}];', f'cvta.to.global.u64 %{name}, %{name};']
        lines += """ld.param.u32 %seed, [seed];
mov.u32 %t0, %tid.z; mov.u32 %t1, %ntid.y; mov.u32 %t2, %tid.y; mad.lo.u32 %t0, %t0, %t1, %t2;
mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.u32 %thread, %t0, %t1, %t2;
mov.u32 %t0, %ntid.y; mul.lo.u32 %threads, %t0, %t1; mov.u32 %t0, %ntid.z;
mul.lo.u32 %threads, %threads, %t0;
mov.u32 %t0, %ctaid.z; mov.u32 %t1, %nctaid.y; mov.u32 %t2, %ctaid.y; mad.lo.u32 %t0, %t0, %t1, %t2;
mov.u32 %t1, %nctaid.x; mov.u32 %t2, %ctaid.x; mad.lo.u32 %t0, %t0, %t1, %t2;
mad.lo.u32 %index, %t0, %threads, %thread;""".split('\n')
        lines += [f'mad.wide.u32 %out, %index, {OUT_BYTES}, %out;',
                  f'mad.wide.u32 %scratch, %index, {SCRATCH_BYTES}, %scratch;',
                  'mov.u32 %shared, slots;', f'mad.lo.u32 %shared, %thread, {SLOT_BYTES}, %shared;',
                  'st.shared.v2.u32 [%shared], {%index, %thread};',
                  'st.shared.v2.u32 [%shared+8], {%thread, %seed};',
                  'mov.u64 %u0, input;', 'st.global.u64 [%u0], %in;']
        for word in range(WORDS):
            lines += [f'mad.lo.u32 %t0, %index, {self.number(1, 99)}, %seed;',
                      f'add.u32 %t0, %t0, {self.number(0, 4000)};', 'and.b32 %t0, %t0, 4095;',
                      'mad.wide.u32 %u0, %t0, 4, %in;', f'ld.global.u32 %r{word}, [%u0];']
        return lines + self.fill()

    @staticmethod
    def end():
        """Writes a hash of all registers; of a NaN only that it is one."""
        lines = ['mov.u32 %t1, 0;']

        def mix(register):
            lines.append(f'mad.lo.u32 %t1, %t1, 31, {register};')
        for n in range(WORDS):
            mix(f'%r{n}')
        for n in range(6):
            lines.append(f'mov.b64 {{%t0, %t2}}, %q{n};')
            mix('%t0'), mix('%t2')
            lines.append(f'cvt.u32.u16 %t0, %h{n};')
            mix('%t0')
            lines.append(f'selp.b32 %t0, 1, 0, %p{n};')
            mix('%t0')
            lines.extend([f'testp.notanumber.f32 %pt, %f{n};', f'mov.b32 %t0, %f{n};',
                          'selp.b32 %t0, 0x7fc00000, %t0, %pt;'])
            mix('%t0')
            lines.append(f'st.global.u32 [%out+{24 + 4 * n}], %t1;')
        for n in range(4):
            lines.extend([f'testp.notanumber.f64 %pt, %d{n};', f'mov.b64 {{%t0, %t2}}, %d{n};',
                          'selp.b32 %t0, 5, %t0, %pt;', 'selp.b32 %t2, 5, %t2, %pt;'])
            mix('%t0'), mix('%t2')
            lines.append(f'st.global.u32 [%out+{48 + 4 * n}], %t1;')
        return [*lines, 'ret;']

    def text(self):
        functions = []
        for n in range(self.number(0, 3)):
            functions += self.function(f'f{n}_{self.name}')
        self.functions = [line.split()[4].split('(')[0] for line in functions if line.startswith('.func')]
        self.whole = self.chance(.5)  # whole warps come to the end, and may meet on the way
        exits = not self.whole and self.chance(.4)
        lines = self.begin()
        for part in range(self.number(2, 4)):
            if self.whole and self.chance(.8):
                lines += self.lines(self.pick(table.TOGETHER))
            lines += self.body(self.number(1, 3), self.number(1, 3)) + self.straight(2)
            lines += [f'lop3.b32 %t0, %r{part}, %r{part + 4}, %r{part + 8}, 0x96;',
                      f'st.global.u32 [%out+{4 * part}], %t0;']
            if exits and self.chance(.4):
                lines.append(self.expand('@{p} {exit,ret};'))
        values = ', '.join(f'{self.random.getrandbits(32):#x}' for _ in range(32))
        limits = self.pick(['', '', '.maxntid 1024', '.maxnreg 64'])
        return '\n'.join([
            f'.const .align 4 .u32 table_{self.name}[32] = {{{values}}};', *functions,
            f'.visible .entry {self.name}(.param .u64 in, .param .u64 out, .param .u64 global,'
            f' .param .u64 scratch, .param .u32 seed) {limits}', '{', *REGISTERS.split('\n'),
            *lines, *self.end(), '}'])

    def launches(self):
        for sizes in (WHOLE, WHOLE if self.whole else PARTIAL):
            grid, block = self.pick(sizes)
            yield ' '.join(map(str, ('// launch', self.name, *grid, *block, self.number(0, 1000))))


def module(seed, kernels=4):
    made = [Kernel(seed * 1000 + n, f'k{seed}_{n}') for n in range(kernels)]
    texts = [kernel.text() for kernel in made]
    launches = [line for kernel in made for line in kernel.launches()]
    return '\n'.join([*launches, '.version 8.3', '.target sm_90', '.address_size 64',
                      '.shared .align 16 .b8 slots[16384];', '.global .u64 input;', *texts]) + '\n'


if __name__ == '__main__':
    print(module(*map(int, sys.argv[1:3])), end='')
