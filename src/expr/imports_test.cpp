// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/imports.h"

#include <map>

#include "base/test.h"
#include "expr/parser.h"

namespace strata::expr {
namespace {

const std::map<std::string, std::string> kFiles = {
    {"lib/a.bt", "import \"b.bt\"\nmacro one() { 1 }\n"},
    {"lib/b.bt", "import \"a.bt\"; begin { print(2); }"},
    {"lib/bad.bt", "begin {\n  print(\"open }\n"},
};

std::vector<Source> read(const std::string &path) {
  std::vector<Source> found;
  for (const auto &[name, text] : kFiles)
    if (name == path || (path == "both" && name != "lib/bad.bt")) found.emplace_back(name, text);
  if (found.empty()) throw Error("cannot open " + path);
  return found;
}

std::string said(const std::string &text) {
  try {
    static_cast<void>(parse(with_imports(Source("program", text), read)));
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is imported stands before the program, once, by paths from where it is asked for") {
  const std::string text = "import \"lib/a.bt\";\nimport \"both\";\nbegin { print(one()); }";
  const Program program = parse(with_imports(Source("program", text), read));
  REQUIRE(program.probes.size() == 2);
  CHECK(program.probes[0].body[0].value->parts[0]->number == 2);
  CHECK(program.macros.size() == 1);
}

TEST_CASE("a program that imports nothing is as it was") {
  const std::string text = "uprobe:/lib/import:x { $import = \"import\"; }";
  CHECK(with_imports(Source("program", text), read).text() == text);
}

TEST_CASE("mistakes are where they stand, in whatever file") {
  CHECK(said("import \"none.bt\"; begin { }").starts_with("program:1:8: cannot open none.bt\n"));
  CHECK(said("import \"lib/bad.bt\"; begin { }").starts_with("lib/bad.bt:2:9: "));
  CHECK(said("import \"lib/a.bt\";\nbegin { print(one(); }").starts_with("program:2:"));
  CHECK(said("import 3; begin { }").starts_with("program:1:"));
}

}  // namespace strata::expr
