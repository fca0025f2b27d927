// Pages of evidence in docs/evidence (experiment/evidence.h): writes them, and compares them with
// the files.
#pragma once

#include <string>

namespace raddle::cli {

struct PageOptions {
  bool write = false;
  bool check = false;
};

/// Writes the page of one experiment, its picture, and the overview of all.
void write_pages(const std::string& name);

/// Names the pages that differ from the results. Returns the exit code: 1 if a page differs.
int check_pages();

}  // namespace raddle::cli
