// Must not compile: a cluster of several blocks is not supported, and must not become single
// blocks.
__global__ void __cluster_dims__(2, 1, 1) kernel() {}
