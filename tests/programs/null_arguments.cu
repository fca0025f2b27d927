// Every function of both APIs, called with zeros for all arguments, returns an error code and never
// crashes. If the code is that of a wrong argument, a line names the function and its requirement.
// Functions that are mere queries print nothing, but must not crash either.
// cc: -lcuda -ldl
// nvcc: -lcuda -ldl
// runs: timed
#include <cuda.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <set>
#include <string>

#include "captured.h"
#include "check.h"

struct Library {
  const char* strings = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  const unsigned* hash = nullptr;  // DT_GNU_HASH
};

Library open_library(const char* file) {
  void* handle = dlopen(file, RTLD_NOW);
  link_map* map = nullptr;
  Library library;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return library;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto at = entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) library.strings = reinterpret_cast<const char*>(at);
    if (entry->d_tag == DT_SYMTAB) library.symbols = reinterpret_cast<const ElfW(Sym)*>(at);
    if (entry->d_tag == DT_GNU_HASH) library.hash = reinterpret_cast<const unsigned*>(at);
  }
  return library;
}

// The library's own functions: those that its hash table holds.
std::vector<std::string> functions_of(const Library& library) {
  const unsigned buckets = library.hash[0], first = library.hash[1], filter = library.hash[2];
  const unsigned* bucket = library.hash + 4 + filter * (sizeof(ElfW(Addr)) / sizeof(unsigned));
  const unsigned* chain = bucket + buckets;
  std::vector<std::string> names;
  for (unsigned i = 0; i < buckets; ++i) {
    if (bucket[i] < first) continue;
    for (unsigned symbol = bucket[i];; ++symbol) {
      const ElfW(Sym)& one = library.symbols[symbol];
      const std::string name = library.strings + one.st_name;
      if (ELF64_ST_TYPE(one.st_info) == STT_FUNC && name.rfind("cu", 0) == 0) names.push_back(name);
      if ((chain[symbol - first] & 1) != 0) break;
    }
  }
  return names;
}

// Those whose purpose is an answer, which an error code may be, and which returns a structure.
bool asks(const std::string& name) {
  for (const char* word : {"Get", "Query", "Peek", "Occupancy", "CanAccess", "Info", "Choose"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  return name.find("FuncSetAttribute") != std::string::npos ||
         name.find("SetDevice") != std::string::npos || name == "cudaCreateChannelDesc";
}

bool is_mistake(long code) {
  for (const long one : {1, 12, 13, 16, 17, 20, 21, 98, 101, 201, 400, 713}) {
    if (code == one) return true;
  }
  return false;
}

using Function = long (*)(long, long, long, long, long, long, long, long, long, long, long, long,
                          long, long, long, long);

// Whether the function behaves.
bool call_with_zeros(void* library, const std::string& name) {
  const auto function = reinterpret_cast<Function>(dlsym(library, name.c_str()));
  long code = 0;
  const std::string text = captured(
      [&] { code = function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) & 0xffffffff; });
  // Programs know a function without what tells its versions apart.
  std::string told = name.substr(0, name.find("_pt"));
  if (const std::size_t at = told.rfind("_v"); at != std::string::npos) told.resize(at);
  if (asks(name) || !is_mistake(code)) return true;
  // "raddle: NAME: what the code says: why"
  const std::string start = "raddle: " + told + ": ";
  const std::size_t reason = text.find(": ", start.size());
  static std::set<std::string> told_before;  // the same is told once
  if (text.empty() && told_before.count(told) != 0) return true;
  told_before.insert(told);
  if (text.rfind(start, 0) == 0 && reason != std::string::npos && reason + 4 < text.size())
    return true;
  std::printf("%s: error %ld, told as '%s'\n", name.c_str(), code, text.c_str());
  std::fflush(stdout);
  return false;
}

// A child: some functions from `*next` on.
void call_some(void* library, const std::vector<std::string>& names, volatile size_t* next) {
  failures = 0;
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  for (const size_t end = *next + 40; *next < end && *next < names.size(); *next = *next + 1) {
    // What came before may have ended the context.
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(nullptr));
    const std::string& name = names[*next];
    if (name == "cudaCreateChannelDesc") continue;  // it returns a structure
    failures += call_with_zeros(library, name) ? 0 : 1;
  }
  std::fflush(stdout);
  _exit(failures == 0 ? 0 : 1);
}

void check_library(const char* file) {
  const std::vector<std::string> names = functions_of(open_library(file));
  EXPECT(names.size() > 200);
  void* const library = dlopen(file, RTLD_NOW);
  auto* const next = static_cast<volatile size_t*>(
      mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  while (*next < names.size()) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) call_some(library, names, next);
    int status = 0;
    waitpid(child, &status, 0);
    failures += status == 0 ? 0 : 1;
    if (WIFSIGNALED(status)) {
      std::printf("%s: signal %d\n", names[*next].c_str(), WTERMSIG(status));
      *next = *next + 1;
    }
  }
}

int main() {
  Dl_info runtime{};
  EXPECT(dladdr(dlsym(RTLD_DEFAULT, "cudaMalloc"), &runtime) != 0);
  check_library(runtime.dli_fname);
  check_library("libcuda.so.1");
  return finish();
}
