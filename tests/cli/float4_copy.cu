// A copy as in tuned programs: 16 bytes a thread.
__global__ void copy(float4* to, const float4* from) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  to[n] = from[n];
}
