// cc: -lcuda
// Virtual memory management: a range of addresses grows by mapped physical memory, one piece is
// mapped at two addresses, and copies cross the borders of mappings.
#include <cuda.h>

#include "check.h"

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

__global__ void fill(int* out, int first, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = first + i;
}

int main() {
  CHECK(cudaFree(nullptr));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t granule = 0;
  CHECK_DRIVER(
      cuMemGetAllocationGranularity(&granule, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  EXPECT(granule > 0 && granule % 65536 == 0);

  CUdeviceptr base = 0;
  CHECK_DRIVER(cuMemAddressReserve(&base, 4 * granule, 0, 0, 0));
  CUmemGenericAllocationHandle pieces[2];
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  for (int i = 0; i < 2; ++i) {
    CHECK_DRIVER(cuMemCreate(&pieces[i], granule, &properties, 0));
    CHECK_DRIVER(cuMemMap(base + i * granule, granule, 0, pieces[i], 0));
    CHECK_DRIVER(cuMemSetAccess(base + i * granule, granule, &access, 1));
  }
  EXPECT(cuMemMap(base, granule, 0, pieces[1], 0) != CUDA_SUCCESS);  // taken

  // Both pieces are one array.
  const int count = static_cast<int>(2 * granule / sizeof(int));
  fill<<<(count + 255) / 256, 256>>>(reinterpret_cast<int*>(base), 100, count);
  std::vector<int> host = to_host(reinterpret_cast<int*>(base), count);
  bool right = true;
  for (int i = 0; i < count; ++i) right &= host[i] == 100 + i;
  EXPECT(right);

  // The second piece at a further address: the same values.
  CHECK_DRIVER(cuMemMap(base + 3 * granule, granule, 0, pieces[1], 0));
  CHECK_DRIVER(cuMemSetAccess(base + 3 * granule, granule, &access, 1));
  fill<<<1, 32>>>(reinterpret_cast<int*>(base + 3 * granule), -1, 32);
  host = to_host(reinterpret_cast<int*>(base + granule), 33);
  EXPECT(host[0] == -1 && host[31] == 30);
  EXPECT(host[32] == static_cast<int>(100 + granule / sizeof(int) + 32));

  // Memory outlives its handle while it is mapped, and its mapping while it has a handle.
  CHECK_DRIVER(cuMemRelease(pieces[1]));
  CHECK_DRIVER(cuMemUnmap(base, granule));
  EXPECT(cuMemcpyDtoH(host.data(), base, 4) != CUDA_SUCCESS);
  CHECK_DRIVER(cuMemMap(base + 2 * granule, granule, 0, pieces[0], 0));
  CHECK_DRIVER(cuMemSetAccess(base + 2 * granule, granule, &access, 1));
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), base + 2 * granule, 4));
  EXPECT(host[0] == 100);

  EXPECT(cuMemAddressFree(base, 4 * granule) != CUDA_SUCCESS);  // still mapped
  CHECK_DRIVER(cuMemUnmap(base + granule, 3 * granule));
  CHECK_DRIVER(cuMemRelease(pieces[0]));
  CHECK_DRIVER(cuMemAddressFree(base, 4 * granule));
  return finish();
}
