// Surface accesses and texture lookups in every form, by address and by texel.
#include "image_forms.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "references.h"
#include "run_ptx.h"

namespace raddle::tests {
namespace {

std::vector<std::uint8_t> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

isa::TextureDescriptor surface_descriptor(const SurfaceAccess& form, Address base) {
  isa::TextureDescriptor out;
  out.kind = isa::HandleKind::surface;
  isa::Image& image = out.image;
  image.base = base;
  image.bytes = kImageBytes;
  image.layout = isa::ImageLayout::array;
  const unsigned texel = form.formatted ? form.extent() : 16;
  image.format = {isa::ChannelKind::unsigned_integer, static_cast<std::uint8_t>(texel / 4), 32};
  const std::string& g = form.geometry;
  const bool tall = g == "2d" || g == "3d" || g == "a2d";
  image.dimensions = g == "3d" ? 3 : tall ? 2 : 1;
  image.layered = g[0] == 'a';
  image.width = kRowBytes / texel;
  image.height = tall ? kImageRows : 1;
  image.depth = g == "3d" ? kImageSlices : 1;
  image.layers = image.layered ? kImageSlices : 1;
  return out;
}

/// The byte of the image where a thread's access is; -1: nowhere.
int byte_of(const SurfaceAccess& form, unsigned thread) {
  Place p = surface_place(form, thread);
  const isa::TextureDescriptor descriptor = surface_descriptor(form, 0);
  const auto rows = static_cast<int>(descriptor.image.height);
  const auto slices = static_cast<int>(descriptor.image.depth * descriptor.image.layers);
  const auto places = static_cast<int>(kRowBytes / form.extent());
  const auto inside = [](int at, int count) { return at >= 0 && at < count; };
  if (!inside(p.x, places) || !inside(p.y, rows) || !inside(p.z, slices)) {
    if (form.boundary == "zero") return -1;
    p.x = std::clamp(p.x, 0, places - 1);
    p.y = std::clamp(p.y, 0, rows - 1);
    p.z = std::clamp(p.z, 0, slices - 1);
  }
  return (p.z * rows + p.y) * static_cast<int>(kRowBytes) + p.x * static_cast<int>(form.extent());
}

std::uint64_t little(const std::uint8_t* bytes, unsigned count) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, count);
  return value;
}

std::uint64_t reduced(const SurfaceAccess& form, std::uint64_t a, std::uint64_t b) {
  if (form.operation == "and") return a & b;
  if (form.operation == "or") return a | b;
  const std::string_view type = form.type[0] == 'b' ? "u32" : std::string_view(form.type);
  const Integer x = number(a, type), y = number(b, type);
  const Integer result = form.operation == "add"   ? x + y
                         : form.operation == "min" ? std::min(x, y)
                                                   : std::max(x, y);
  return static_cast<std::uint64_t>(result) & low_mask(8 * form.bytes);
}

TEST(ImageForms, SurfacesAreReadAndWrittenWhereTheCoordinatesSay) {
  isa::Matcher matcher;
  const auto forms = surface_forms(matcher);
  EXPECT_GT(forms.size(), 500u);
  const std::size_t slots = forms.size() * kImageThreads;
  const auto images = random_bytes(forms.size() * kImageBytes, 3),
             values = random_bytes(slots * 32, 4);
  for (const bool timed : {false, true}) {
    PtxMachine machine(timed);
    std::vector<std::uint64_t> handles;
    std::vector<Address> bases;
    std::vector<std::int32_t> places;
    for (std::size_t n = 0; n < forms.size(); ++n) {
      bases.push_back(machine.allocate(kImageBytes));
      std::memcpy(machine.values<std::uint8_t>(bases[n], kImageBytes), &images[n * kImageBytes],
                  kImageBytes);
      handles.push_back(machine.handle(surface_descriptor(forms[n], bases[n])));
      for (unsigned t = 0; t < kImageThreads; ++t) {
        const Place p = surface_place(forms[n], t);
        const int unit = forms[n].formatted ? 1 : static_cast<int>(forms[n].extent());
        for (const int word : {p.x * unit, p.y, p.z, 0}) places.push_back(word);
      }
    }
    const auto copy = [&](const void* from, std::size_t bytes) {
      const Address at = machine.allocate(bytes);
      std::memcpy(machine.values<std::uint8_t>(at, bytes), from, bytes);
      return at;
    };
    const Address out = machine.allocate(slots * 32);
    ASSERT_EQ(machine.run(
                  surface_kernel(forms),
                  {copy(handles.data(), 8 * handles.size()), copy(places.data(), 4 * places.size()),
                   copy(values.data(), values.size()), out},
                  kImageThreads),
              "");
    for (std::size_t n = 0; n < forms.size(); ++n) {
      const SurfaceAccess& form = forms[n];
      std::vector<std::uint8_t> image(&images[n * kImageBytes],
                                      &images[n * kImageBytes] + kImageBytes);
      for (unsigned t = 0; t < kImageThreads; ++t) {
        const int at = byte_of(form, t);
        const std::uint8_t* value = &values[(n * kImageThreads + t) * 32];
        const auto* found = machine.values<std::uint8_t>(out + (n * kImageThreads + t) * 32, 32);
        for (unsigned e = 0; e < form.width; ++e) {
          const unsigned offset = e * form.bytes;
          if (form.opcode == "suld") {
            const std::uint64_t expected = at < 0 ? 0 : little(&image[at + offset], form.bytes);
            EXPECT_EQ(little(found + 8 * e, 8), expected)
                << written("suld", form.words) << " thread " << t;
          } else if (at >= 0) {
            std::uint64_t next = little(value + 8 * e, form.bytes);
            if (form.opcode == "sured")
              next = reduced(form, little(&image[at + offset], form.bytes), next);
            std::memcpy(&image[at + offset], &next, form.bytes);
          }
        }
      }
      EXPECT_EQ(std::memcmp(machine.values<std::uint8_t>(bases[n], kImageBytes), image.data(),
                            kImageBytes),
                0)
          << written(form.opcode, form.words);
    }
  }
}

/// Texel n has 4 n + c in channel c.
std::uint64_t texel_value(const TextureAccess& form, unsigned texel, unsigned channel) {
  const unsigned value = 4 * texel + channel;
  if (form.result == "u32" || form.result == "s32") return value;
  return encode(float_format(form.result == "f32" ? "f32" : "f16"), value, "rn");
}

isa::TextureDescriptor texture_descriptor(const TextureAccess& form, PtxMachine& machine) {
  isa::TextureDescriptor out;
  out.kind = isa::HandleKind::texture;
  isa::Image& image = out.image;
  const std::string& g = form.geometry;
  const bool cube = g.ends_with("cube"), real = form.result[0] == 'f';
  image.layout = isa::ImageLayout::array;
  image.format = {form.result == "s32" ? isa::ChannelKind::signed_integer
                  : real               ? isa::ChannelKind::floating
                                       : isa::ChannelKind::unsigned_integer,
                  4, 32};
  image.dimensions = g == "3d" ? 3 : g.ends_with("1d") ? 1 : 2;
  image.layered = g[0] == 'a';
  image.cubemap = cube;
  image.width = cube ? 1 : g == "1d" ? 32 : 4;
  image.height = g == "2d" || g == "3d" || g == "a2d" ? 2 : 1;
  if (g == "2d") image.height = 8;
  image.depth = g == "3d" ? 4 : 1;
  image.layers = g == "a1d" ? 8 : g == "a2d" ? 4 : g == "cube" ? 6 : g == "acube" ? 12 : 1;
  image.bytes = 12 * 3 * 16 * 16;
  image.base = machine.allocate(image.bytes);
  auto* texels = machine.values<std::uint32_t>(image.base, image.bytes / 4);
  for (unsigned n = 0; n < 128; ++n) {
    texels[n] = static_cast<std::uint32_t>(real ? encode(float_format("f32"), n, "rn") : n);
  }
  out.sampler.normalized = cube;
  return out;
}

/// Which texel each element of a gathered result is of: counter-clockwise from the lower left.
unsigned gathered_texel(const TextureAccess& form, unsigned lane, unsigned element) {
  if (form.geometry.ends_with("cube")) return texel_of(form, lane);
  const unsigned x = lane % 4 % 3 + (element == 1 || element == 2 ? 1 : 0);
  const unsigned y = element < 2 ? 1 : 0, layer = form.geometry == "a2d" ? lane / 8 : 0;
  return layer * 8 + y * 4 + x;
}

unsigned looked_up_texel(const TextureAccess& form, unsigned lane) {
  if (form.geometry == "2d") return lane % 8;  // y is 0 or 1
  return texel_of(form, lane);
}

TEST(ImageForms, TexturesGiveTheTexelOfTheirCoordinates) {
  isa::Matcher matcher;
  const auto forms = texture_forms(matcher);
  EXPECT_GT(forms.size(), 200u);
  for (const bool timed : {false, true}) {
    PtxMachine machine(timed);
    std::vector<std::uint64_t> handles;
    for (const TextureAccess& form : forms) {
      handles.push_back(machine.handle(texture_descriptor(form, machine)));
    }
    const Address table = machine.allocate(8 * handles.size());
    std::memcpy(machine.values<std::uint64_t>(table, handles.size()), handles.data(),
                8 * handles.size());
    const Address out = machine.allocate(forms.size() * kWarpSize * 16);
    ASSERT_EQ(machine.run(texture_kernel(forms), {table, out}), "");
    for (std::size_t n = 0; n < forms.size(); ++n) {
      const TextureAccess& form = forms[n];
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const auto* found = machine.values<std::uint8_t>(out + (n * kWarpSize + lane) * 16, 16);
        const unsigned bytes = form.result.starts_with("f16") ? 2 : 4;
        for (unsigned e = 0; e < 4; ++e) {
          const bool gathers = form.opcode == "tld4";
          const unsigned channel =
              gathers ? static_cast<unsigned>(std::string_view("rgba").find(form.channel)) : e;
          const unsigned texel =
              gathers ? gathered_texel(form, lane, e) : looked_up_texel(form, lane);
          EXPECT_EQ(little(found + bytes * e, bytes), texel_value(form, texel, channel))
              << written(form.opcode, form.words) << " lane " << lane << ", element " << e;
        }
      }
    }
  }
}

}  // namespace
}  // namespace raddle::tests
