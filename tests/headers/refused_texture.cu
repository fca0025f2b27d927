// Must not compile: the simulator has no textures yet.
__global__ void sample(cudaTextureObject_t texture, float* out) {
  *out = tex2D<float>(texture, 0.5f, 0.5f);
}
