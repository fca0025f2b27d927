"""Registers of fragments, and the test file that loads them, runs an mma and stores the result."""
import os

from formats import WIDTH, encode

HERE = os.path.dirname(os.path.abspath(__file__))
written = []


def save(name, text):
    with open(os.path.join(HERE, name + ".ptx"), "w") as file:
        file.write(text)
    written.append(name)


def registers(element, values, place, count, bits=False):
    """[register][lane] of a fragment of `count` elements a lane; `bits`: values are bits already."""
    width = WIDTH[element]
    each = (64 if element == "f64" else 32) // width
    result = []
    for register in range(count // each):
        lanes = []
        for lane in range(32):
            word = 0
            for n in range(each):
                row, column = place(lane, register * each + n)
                value = values[row][column]
                value = value if bits else encode(element, value)
                word = "*" if "*" in (word, value) else word | value << (width * n)
            lanes.append(word)
        result.append(lanes)
    return result


def product(a, b, c, combine=lambda x, y: x * y):
    return [[c[i][j] + sum(combine(a[i][k], b[k][j]) for k in range(len(b)))
             for j in range(len(b[0]))] for i in range(len(a))]


def listed(values):
    return " ".join(str(value) for value in values)


def vector(names):
    return "{" + ", ".join(names) + "}"


HEADER = """.version 8.7
.target sm_90
.address_size 64

.visible .entry test({parameters})
{{
  .reg .b32 %t, %r<64>;
  .reg .b64 %rd<64>, %p<8>, %offset;
  mov.u32 %t, %tid.x;
"""


def write_mma(name, instruction, inputs, result, wide=False, selector=None, why=None, gpu=None,
              section="9.7.14.4"):
    """`inputs`: registers of A, B, C and, with `selector`, the metadata; `wide`: of 64 bits."""
    kind, size, prefix, bits = ("u64", 8, "%rd", "b64") if wide else ("u32", 4, "%r", "b32")
    text = f"// gpu: {gpu}\n" if gpu else ""
    text += "// launch: grid 1 block 32\n"
    for fragment in inputs:
        text += f"// in {kind}: {listed(x for row in fragment for x in row)}\n"
    text += f"// out {kind}: {listed(x for row in result for x in row)}\n// cite: {section}\n"
    if why:
        text += f"// why: {why}\n"
    buffers = len(inputs) + 1
    text += HEADER.format(parameters=", ".join(f".param .u64 p{n}" for n in range(buffers)))
    text += f"  mul.wide.u32 %offset, %t, {size};\n"
    for n in range(buffers):
        text += f"  ld.param.u64 %p{n}, [p{n}];\n  add.u64 %p{n}, %p{n}, %offset;\n"
    names, next_register = [], 0
    for n, fragment in enumerate(inputs):
        names.append([f"{prefix}{next_register + r}" for r in range(len(fragment))])
        for r, register in enumerate(names[-1]):
            text += f"  ld.global.{bits} {register}, [%p{n}+{r * 32 * size}];\n"
        next_register += len(fragment)
    results = [f"{prefix}{next_register + r}" for r in range(len(result))]
    operands = [vector(results)] + [vector(fragment) for fragment in names[:3]]
    if selector is not None:
        operands += [names[3][0], str(selector)]
    text += f"  {instruction} {', '.join(operands)};\n"
    for r, register in enumerate(results):
        text += f"  st.global.{bits} [%p{buffers - 1}+{r * 32 * size}], {register};\n"
    save(name, text + "  ret;\n}\n")
