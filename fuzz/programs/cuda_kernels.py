#!/usr/bin/env python3
"""Writes a file of random CUDA kernels: cuda_kernels.py SEED [KERNELS, 3]

It compiles for devices, and with -DRANDOM_PROGRAM_ON_HOST for the host, where it prints the launches
with the right results: fuzz/programs/device.h and host.h. The kernels have the parameters of
tests/random_programs/program.h and no races. Lanes that part know which of them are together (M), and
call warp-wide functions with that mask.
"""
import random
import sys

import cuda_expressions as table
from grammar import Grammar

TYPES = {'u': 'u32', 'i': 'i32', 'U': 'u64', 'I': 'i64', 'f': 'float', 'd': 'double'}
COUNTS = {'u': 4, 'i': 2, 'U': 2, 'I': 2, 'f': 3, 'd': 2}
EXPRESSIONS = {'u': table.UNSIGNED, 'i': table.SIGNED, 'U': table.WIDE, 'I': table.WIDE_SIGNED,
               'f': table.SINGLE, 'd': table.DOUBLE}
WHOLE = [((2, 1, 1), (64, 1, 1)), ((1, 1, 1), (96, 1, 1)), ((2, 2, 1), (32, 2, 1)),
         ((1, 1, 2), (16, 4, 2)), ((3, 1, 1), (32, 1, 1)), ((1, 1, 1), (256, 1, 1))]
PARTIAL = [((1, 1, 1), (45, 1, 1)), ((2, 1, 1), (77, 1, 1)), ((1, 3, 1), (5, 7, 1)),
           ((2, 1, 2), (3, 3, 3)), ((1, 1, 1), (1, 1, 1)), ((1, 2, 1), (9, 5, 3))]
DEEPEST = 3  # expressions


class Kernel(Grammar):
    def __init__(self, seed, name):
        super().__init__(random.Random(seed), {})
        self.name, self.names, self.loops, self.depth, self.functions = name, 0, 0, 0, []
        self.floats, self.warps, self.blocks = self.chance(.6), self.chance(.6), self.chance(.5)
        self.reads = {kind: [kind + str(n) for n in range(count)] for kind, count in COUNTS.items()}
        self.writes = {kind: list(names) for kind, names in self.reads.items()}
        unsigned = table.UNSIGNED + (table.FROM_FLOAT if self.floats else [])
        for kind, templates in {**EXPRESSIONS, 'u': unsigned}.items():
            self.rules[kind] = lambda kind=kind, templates=templates: self.expression(kind, templates)
            self.rules['to_' + kind] = lambda kind=kind: self.pick(self.writes[kind])
        conditions = table.CONDITION + (table.FLOAT_CONDITION if self.floats else [])
        self.rules.update({
            'c': lambda: self.deeper(lambda: self.expand(self.pick(
                conditions if self.depth < DEEPEST else conditions[:6]))),
            'divide': lambda: self.pick('/%'), 'constant': table.CONSTANT,
            'bits': lambda: f'{self.random.getrandbits(32):#x}',
            'intrinsic': table.INTRINSIC, 'memory': lambda: self.memory(), 'shuffle': lambda: self.shuffle()})

    def deeper(self, make):
        self.depth += 1
        text = make()
        self.depth -= 1
        return text

    def expression(self, kind, templates):
        if self.depth >= DEEPEST or self.chance(.25):
            if self.chance(.85):
                return self.pick(self.reads[kind])
            return self.expand(table.LEAVES[kind])
        if kind == 'u' and self.functions and self.chance(.06):
            return self.deeper(self.call)
        return self.deeper(lambda: self.expand(self.pick(templates)))

    def memory(self):
        return self.deeper(lambda: self.expand(self.pick(table.MEMORY)))

    def call(self):
        name, kind = self.pick(self.functions)
        if kind == 'recursive':
            return self.expand(f'{name}({{u}} & 7u, {{u}})')
        if kind == 'pointers':
            return self.expand(f'{name}[{{u}} & 3]({{u}}, {{u}})')
        if kind == 'structure':
            return self.expand(f'(u32){name}({{one,many[1]}}, {{u}}).{{a,h}}')
        return self.expand(f'{name}({{u}}, {{i}}, {{U}}, {{f}}, {{d}})')

    def shuffle(self):
        """The value counts where the lane it comes from is in the mask."""
        width = self.pick([32, 32, 16, 8, 4])
        by, mode = self.number(1, width - 1), self.pick(['xor', 'up', 'down'])
        within = f'(p.lane & {width - 1}u)'
        source = {'xor': f'(p.lane ^ {by}u)',
                  'up': f'({within} >= {by}u ? p.lane - {by}u : p.lane)',
                  'down': f'({within} + {by}u < {width}u ? p.lane + {by}u : p.lane)'}[mode]
        return self.expand(f'{{{{ const u32 got = __shfl_{mode}_sync(M, {{u}}, {by}, {width}); '
                           f'if (M >> {source} & 1u) {{to_u}} += got; }}}}')

    def new(self, prefix):
        self.names += 1
        return f'{prefix}{self.names}'

    # Statements: lists of lines. `warp`: all lanes of M are here; `block`: all threads of the block are.

    def statements(self, count, depth, warp=False, block=False, loop=False):
        return ['  ' + line for _ in range(count)
                for line in self.statement(depth, warp, block, loop)]

    def statement(self, depth, warp, block, loop):
        self.depth = 0
        if block and self.blocks and self.chance(.25):
            return [self.expand(self.pick(table.BLOCK))] if self.chance(.8) else self.block_loop(depth)
        if warp and self.warps and self.chance(.45):
            return self.together(depth)
        if depth <= 0:
            return [self.assignment()]
        kinds = [self.plain, self.plain, self.choice, self.choice, self.cases, self.jump]
        if self.loops < 2:
            kinds += [self.counted, self.repeated]
        if loop:
            return [self.expand('if ({c}) {break,continue};')] if self.chance(.15) else \
                self.pick(kinds)(depth)
        return self.pick(kinds)(depth)

    def assignment(self):
        kinds = table.ASSIGNMENT + (2 * table.FLOAT_ASSIGNMENT if self.floats else [])
        return self.expand(self.pick(kinds if self.inside or self.chance(.7) else table.GLOBAL))

    def plain(self, _):
        return [self.assignment()]

    def choice(self, depth):
        lines = [self.expand('if ({c}) {{'), *self.statements(self.number(1, 3), depth - 1)]
        while self.chance(.3):
            lines += [self.expand('}} else if ({c}) {{'), *self.statements(self.number(1, 2), depth - 1)]
        if self.chance(.6):
            lines += ['} else {', *self.statements(self.number(1, 3), depth - 1)]
        return [*lines, '}']

    def in_loop(self, make):
        self.loops += 1
        lines = make()
        self.loops -= 1
        return lines

    def counted(self, depth):
        counter, end = self.new('n'), self.new('end')
        head = f'for (u32 {counter} = 0; {counter} < ({end} & {self.pick([3, 7, 15])}u); ++{counter}) {{'
        lines = ['{', f'  const u32 {end} = ' + self.expand('{u};')]
        if self.chance(.2):
            lines.append(f'#pragma unroll {self.pick([1, 2, 4])}')
        self.reads['u'].append(counter)
        lines += ['  ' + head, *self.in_loop(lambda: self.statements(self.number(1, 4), depth - 1, loop=True))]
        self.reads['u'].remove(counter)
        return [*lines, '  }', '}']

    def repeated(self, depth):
        left = self.new('left')
        body = self.in_loop(lambda: self.statements(self.number(1, 4), depth - 1, loop=True))
        first = f'  u32 {left} = ' + self.expand('{u} & 7u;')
        if self.chance(.5):
            return ['{', first, f'  while ({left}-- != 0 && ' + self.expand('{c}) {{'), *body, '  }', '}']
        return ['{', first, '  do {', *body, f'  }} while ({left}-- != 0 && ' + self.expand('{c});'), '}']

    def cases(self, depth):
        count = self.number(3, 9)
        numbers = self.random.sample(range(count), count)
        lines = [self.expand('switch ({u} % ') + f'{count + self.number(-1, 2)}u) {{']
        for number in numbers:
            lines += [f'case {number}: {{', *self.statements(self.number(1, 2), depth - 2), '}']
            lines += ['  break;'] if self.chance(.7) else []
        if self.chance(.6):
            lines += ['default: {', *self.statements(1, depth - 2), '}']
        return [*lines, '}']

    def jump(self, depth):
        first, second = self.new('label'), self.new('label')
        lines = [self.expand('if ({c}) goto ') + first + ';', '{',
                 *self.statements(self.number(1, 2), depth - 1), '}',
                 self.expand('if ({c}) goto ') + second + ';', first + ':;', '{',
                 *self.statements(self.number(1, 2), depth - 1), '}', second + ':;']
        return lines

    def block_loop(self, depth):
        counter = self.new('n')
        self.reads['u'].append(counter)
        body = self.in_loop(lambda: self.statements(self.number(1, 3), depth - 1, True, True))
        self.reads['u'].remove(counter)
        return [f'for (u32 {counter} = 0; {counter} < (p.seed & 3u) + 1u; ++{counter}) {{', *body, '}']

    def together(self, depth):
        kind = self.number(0, 3) if depth > 0 else 0
        if kind == 1:  # lanes part, each side with a mask of its own
            lines = ['{', '  const bool side = ' + self.expand('{c};'),
                     '  const u32 yes = __ballot_sync(M, side), no = M & ~yes;',
                     '  if (side) {', '    const u32 M = yes;', *self.statements(self.number(1, 3), depth - 1, True)]
            if self.chance(.7):
                lines += ['  } else {', '    const u32 M = no;', *self.statements(self.number(1, 3), depth - 1, True)]
            return [*lines, '  }', '}']
        if kind == 2 and self.loops < 2:  # lanes leave a loop one by one
            left, outer = self.new('left'), self.new('outer')
            body = self.in_loop(lambda: self.statements(self.number(1, 3), depth - 1, True))
            return ['{', f'  const u32 {outer} = M;', f'  u32 {left} = ' + self.expand('{u} & 7u;'),
                    f'  for (u32 M = {outer};;) {{', f'    const bool again = {left}-- != 0;',
                    '    const u32 rest = __ballot_sync(M, again);', '    if (!again) break;',
                    '    M = rest;', *body, '  }', f'  __syncwarp({outer});', '}']
        return [self.expand(self.pick(table.WARP + (table.WARP_FLOAT if self.floats else [])))]

    # Functions.

    def locals(self, first):
        lines = [f'{TYPES[kind]} {name} = {first[kind]};' for kind, names in self.writes.items()
                 for name in names]
        return lines + """u32 words[16]; for (u32 k = 0; k < 16; ++k) words[k] = in[(k * 37u + u0) & 4095];
unsigned char bytes[32]; for (u32 k = 0; k < 32; ++k) bytes[k] = (unsigned char)(in[(k + u1) & 4095] >> (k & 15));
Mixed one; one.a = u0; one.b = U0; one.f = (float)u1; one.h = (uint16_t)u2; one.c = (signed char)u3; one.d = (double)i0;
Mixed many[4]; for (u32 k = 0; k < 4; ++k) { many[k] = one; many[k].a += k; }
Small small; small.w = u2; for (u32 k = 0; k < 5; ++k) { small.q[k] = (unsigned char)(u0 >> k); small.h[k % 3] = (uint16_t)(u1 >> k); }
(void)bytes; (void)words; (void)many; (void)small;""".split('\n')

    def function(self, name):
        kind = self.pick(['plain', 'plain', 'recursive', 'pointers', 'structure'])
        inline = self.pick(['__noinline__ ', '__noinline__ ', '__forceinline__ ', ''])
        if kind == 'recursive':
            again = self.pick(['', f'if (y & 1u) y ^= {name}(n >> 1, y);',
                               f'for (u32 k = 0; k < (y & 1u); ++k) y += {name}(n / 2, x + k);'])
            lines = [f'__device__ __noinline__ u32 {name}(u32 n, u32 x) {{', '  if (n == 0) return x * 3u;',
                     f'  u32 y = {name}(n - 1, x ^ (n << 3));', f'  {again}', '  return y + (x >> (n & 7u));', '}']
        elif kind == 'pointers':
            bodies = ['return x + y * 77u;', 'return x ^ (y >> 3);', 'return x > y ? x - y : y / (x | 1u);',
                      'u32 r = x; for (u32 k = 0; k < (y & 7u); ++k) r = r * 5u + k; return r;']
            lines = [f'__device__ __noinline__ u32 {name}_{n}(u32 x, u32 y) {{ {body} }}'
                     for n, body in enumerate(bodies)]
            places = ', '.join(f'{name}_{n}' for n in range(4))
            lines.append(f'__device__ u32 (*const {name}[4])(u32, u32) = {{{places}}};')
        elif kind == 'structure':
            lines = [f'__device__ __noinline__ Mixed {name}(Mixed x, u32 k) {{',
                     '  if (k & 2u) { x.a = k; x.h = (uint16_t)(x.h + x.a); } else { x.b ^= (u64)k << 20; x.a = folded(x.b); }',
                     '  return x;', '}']
        else:
            self.inside = True
            first = {'u': 'u ^ 3u', 'i': 'i', 'U': 'U', 'I': '(i64)U', 'f': 'f', 'd': 'd'}
            lines = [f'__device__ {inline}u32 {name}_body(const u32* in, const Thread& p, u32 u, i32 i, u64 U, float f, double d) {{',
                     *('  ' + line for line in self.locals(first)), *self.statements(self.number(2, 5), 2),
                     '  return u0 ^ (u32)i0 ^ folded(U0) ^ bits(f0) ^ folded(bits(d0));', '}']
            self.inside = False
            lines.append(f'#define {name}(u, i, U, f, d) {name}_body(in, p, u, i, U, f, d)')
        self.functions.append((name, kind))
        return lines

    inside = False  # a function

    # The kernel.

    def text(self):
        values = ', '.join(f'{self.random.getrandbits(32):#x}u' for _ in range(32))
        head = [f'__constant__ u32 table_{self.name}[32] = {{{values}}};', '#undef table',
                f'#define table table_{self.name}']
        for n in range(self.number(0, 3)):
            head += self.function(f'f{n}_{self.name}')
        first = {'u': 'in[(p.index * 7u + p.seed) & 4095]', 'i': '(i32)in[(p.index + 99u) & 4095]',
                 'U': '((const u64*)in)[(p.index * 3 + p.seed) & 2047]', 'I': '(i64)in[p.in_block & 4095] - 99',
                 'f': 'as_float(in[(p.index * 4 + 2) & 4095])', 'd': '(double)p.index * 0.37'}
        limits = self.pick(['', '', '__launch_bounds__(1024) ', '__launch_bounds__(256, 4) '])
        lines = [f'extern "C" __global__ void {limits}{self.name}(const u32* in, u32* out, u32* global, u32* scratch, u32 seed) {{',
                 '  __shared__ u32 shared[1024], sums[32];', *('  ' + line for line in """Thread p;
p.in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
p.threads = blockDim.x * blockDim.y * blockDim.z;
p.index = p.in_block + p.threads * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
p.lane = p.in_block & 31u;
p.seed = seed;
const u32 in_warp = p.threads - (p.in_block & ~31u);
const u32 M = in_warp >= 32 ? 0xffffffffu : (1u << in_warp) - 1;
u32* const mine = scratch + p.index * 32;
u32* const results = out + p.index * 16;
shared[p.in_block] = 0;
__syncthreads();
u32 hash = M;""".split('\n')), *('  ' + line for line in self.locals(first))]
        sums = ['u0 + 3u * u1 + 5u * u2 + 7u * u3', '(u32)i0 + 9u * (u32)i1', 'folded(U0) + folded(U1)',
                'folded((u64)I0) + words[u0 & 15] + one.a + many[1].a', 'bits(f0) + bits(f1) + bits(f2)',
                'folded(bits(d0)) + folded(bits(d1))', '(u32)bytes[u1 & 31] + small.q[2] + small.h[1]']
        for part in range(self.number(3, 7)):
            lines += self.statements(self.number(1, 3), 3, True, True)
            lines += [f'  hash = mix(hash, {value});' for value in sums] + [f'  results[{part}] = hash;']
        return '\n'.join([*head, *lines, '  results[15] = hash;', '}'])

    def launches(self):
        for sizes in (WHOLE, PARTIAL):
            grid, block = self.pick(sizes)
            yield self.name, grid, block, self.number(0, 1000)


def module(seed, kernels=3):
    made = [Kernel(seed * 1000 + n, f'k{seed}_{n}') for n in range(kernels)]
    texts = [kernel.text() for kernel in made]
    runs = [f'  ended &= run_launch("{name}", {name}, {{{", ".join(map(str, grid))}}}, '
            f'{{{", ".join(map(str, block))}}}, {number}u);'
            for kernel in made for name, grid, block, number in kernel.launches()]
    return '\n'.join(['#include "device.h"', *texts, '#ifdef RANDOM_PROGRAM_ON_HOST',
                      '#include "host_main.h"', 'int main(int count, char**) {', '  print_words = count > 1;',
                      '  bool ended = true;', *runs,
                      '  return ended ? 0 : 1;', '}', '#endif']) + '\n'


if __name__ == '__main__':
    print(module(*map(int, sys.argv[1:3])), end='')
