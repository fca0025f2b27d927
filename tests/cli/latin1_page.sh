# The page of a profile is UTF-8, also where the source is not: in Latin-1.
#   latin1_page.sh RADDLE FOLDER
set -eu
raddle=$1
mkdir -p "$2/latin1_page"
cd "$2/latin1_page"
cat > plain.cu <<'SOURCE'
__global__ void set(int* p) {
  *p = 1;  // f@r
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 4);
  set<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
SOURCE
tr @ '\374' < plain.cu > latin1.cu
"$raddle" cc latin1.cu -o latin1
"$raddle" run -q --profile=page.html ./latin1
iconv -f UTF-8 -t UTF-8 page.html > same.html
grep -q "// f$(printf '\357\277\275')r" page.html
