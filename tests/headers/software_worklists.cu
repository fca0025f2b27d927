// Uses every part of raddle/worklist.cuh for software worklists, so that compilers check it.
#include <raddle/worklist.cuh>

using namespace raddle::worklist;

template <class List>
__global__ void everything(List list, unsigned* counts) {
  list.for_each([&](std::uint32_t id, auto& out) { out.push(counts[id]); });
  list.for_each_in_blocks([&](std::uint32_t id) { list.push_block(id); });
  list.for_each_donating([&](std::uint32_t id) { return counts[id]; },
                         [&](std::uint32_t id) { list.push(id); });
  auto places = list.reserve(2);
  places.put(list.size());
  auto worker = list.worker();
  counts[0] = worker.pull();
}

template <Buffering How, Push Pushing>
void use(unsigned* counts) {
  Worklist<Software<How, Pushing>> list(100);
  list.push({1, 2});
  list.push_range(3, 4);
  while (list.advance() != 0) list.launch(&everything<decltype(list.device())>, 64, counts);
  list.check();
  list.clear();
}

int main() {
  unsigned* counts = nullptr;
  use<Buffering::double_buffered, Push::thread>(counts);
  use<Buffering::double_buffered, Push::block>(counts);
  use<Buffering::single_buffered, Push::warp>(counts);
  use<Buffering::single_buffered, Push::chunk>(counts);
}
