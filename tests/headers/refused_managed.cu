// Must not compile: clang has no managed variables for CUDA.
__managed__ int counter;
