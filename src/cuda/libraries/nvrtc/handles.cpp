// NVRTC (documentation, "General Information Query"), with the types of its ABI. Compiling is
// refused, since there is no CUDA compiler: nvcc or `raddle cc` can build programs, or programs can
// load PTX.
extern "C" {
int nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return 3;  // NVRTC_ERROR_INVALID_INPUT
  *major = 12;
  *minor = 8;
  return 0;
}
const char* nvrtcGetErrorString(int status) {
  switch (status) {
    case 0:
      return "NVRTC_SUCCESS";
    case 3:
      return "NVRTC_ERROR_INVALID_INPUT";
    case 11:
      return "NVRTC_ERROR_INTERNAL_ERROR";
    default:
      return "NVRTC_ERROR unknown";
  }
}
}
