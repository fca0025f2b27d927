// The program of device_launch.cu with groups that join running kernels.
// nvcc: -rdc=true -lcudadevrt
// with: dtbl
#include "../cdp/device_launch.cu"
