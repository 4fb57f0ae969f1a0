// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/imports.h"

#include <set>

#include "expr/lexer.h"

namespace strata::expr {
namespace {

std::string path_from(const std::string &importer, const std::string &path) {
  const size_t slash = importer.rfind('/');
  return path.starts_with('/') || slash == std::string::npos ? path : importer.substr(0, slash + 1) + path;
}

class Importer {
 public:
  explicit Importer(const ReadPrograms &read) : read_(read) {}

  void add(Source source) {
    const std::vector<Token> tokens = tokens_of(source);
    int depth = 0;
    for (size_t i = 0; i + 1 < tokens.size(); i++) {
      depth += tokens[i].is("{") ? 1 : tokens[i].is("}") ? -1 : 0;
      if (depth != 0 || !tokens[i].is_name("import") || tokens[i + 1].kind != Token::Kind::kString) continue;
      add_all(source, tokens[i + 1]);
      source.blank({tokens[i].at.from, tokens[i + (tokens[i + 2].is(";") ? 2 : 1)].at.to});
    }
    programs_.push_back(std::move(source));
  }

  [[nodiscard]] Source together() const {
    Source all = programs_.front();
    for (size_t i = 1; i < programs_.size(); i++) all.append(programs_[i]);
    return all;
  }

 private:
  void add_all(const Source &importer, const Token &path) {
    std::vector<Source> found;
    try {
      found = read_(path_from(importer.name(), path.text));
    } catch (const Error &error) {
      throw importer.error(path.at, error.what());
    }
    for (Source &one : found)
      if (known_.insert(one.name()).second) add(std::move(one));
  }

  const ReadPrograms &read_;
  std::set<std::string> known_;
  std::vector<Source> programs_;
};

}  // namespace

Source with_imports(const Source &source, const ReadPrograms &read) {
  Importer importer(read);
  importer.add(source);
  return importer.together();
}

}  // namespace strata::expr
