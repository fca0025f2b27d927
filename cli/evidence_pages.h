// Pages of evidence in docs/evidence (experiment/evidence.h): written, and compared with what is there.
#pragma once

#include <string>

namespace raddle::cli {

struct PageOptions {
  bool write = false;
  bool check = false;
};

/// The page of one experiment, its picture, and the overview of all.
void write_pages(const std::string& name);

/// Names those that are not what results generate. Returns the exit code: 1 where there are any.
int check_pages();

}  // namespace raddle::cli
