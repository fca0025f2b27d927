// Returns the text that reaches standard error while a function runs.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

template <typename F>
std::string captured(F&& function) {
  std::fflush(stderr);
  std::FILE* file = std::tmpfile();
  const int before = dup(2);
  dup2(fileno(file), 2);
  function();
  std::fflush(stderr);
  dup2(before, 2);
  close(before);
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

// Whether `text` contains `part`; says so when it does not. NVIDIA's libraries print nothing.
inline bool says([[maybe_unused]] const std::string& text, [[maybe_unused]] const char* part) {
#ifdef ON_HARDWARE
  return true;
#else
  if (text.find(part) != std::string::npos) return true;
  std::printf("'%s' is not in: %s\n", part, text.c_str());
  return false;
#endif
}
