#include "base/document_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_file.h"

namespace raddle {
namespace {

TEST(DocumentFile, TextsComeBackByNumber) {
  const TemporaryFile file;
  append_document(file.path(), 2, "{\n}\n");
  append_document(file.path(), 1, "");
  append_document(file.path(), 10, "three");
  const std::vector<Document> all = split_documents(file.content());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].number, 1u);
  EXPECT_EQ(all[0].text, "");
  EXPECT_EQ(all[1].text, "{\n}\n");
  EXPECT_EQ(all[2].number, 10u);
  EXPECT_EQ(all[2].text, "three");
}

TEST(DocumentFile, TheLastTextOfAProcessCounts) {
  const TemporaryFile file;
  append_document(file.path(), 1, "so far");
  append_document(file.path(), 2, "another's");
  append_document(file.path(), 1, "in the end");
  const std::vector<Document> all = split_documents(file.content());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, "in the end");
  EXPECT_EQ(all[1].text, "another's");
}

TEST(DocumentFile, NothingIsNoDocument) { EXPECT_TRUE(split_documents("").empty()); }

TEST(DocumentFile, WhatCannotBeWrittenIsAnError) {
  EXPECT_THROW(append_document("/nowhere/file", 1, "text"), Error);
}

}  // namespace
}  // namespace raddle
