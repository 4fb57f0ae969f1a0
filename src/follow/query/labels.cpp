// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/labels.h"

#include <algorithm>
#include <string_view>

namespace strata {
namespace {

std::string_view bytes_of(const query_words &words) {
  return {words.bytes, std::min<size_t>(words.size, sizeof(words.bytes))};
}
Literals literals_of(const query_words &words) {
  return words.hop.flags & QUERY_VALUES ? Literals::kShown : Literals::kHidden;
}

// A buffer begins with what this call has read. If it begins with all that is known the call is the same as before, as
// it reads segment by segment.
void add_words(RequestWords &so_far, const query_words &words) {
  const std::string_view bytes = bytes_of(words);
  const std::string_view now = bytes.substr(0, words.n);
  const bool is_next = words.from == so_far.first.size() && so_far.read == words.from;
  so_far.read = uint64_t{words.from} + words.n;
  if (!is_next) return;
  if (!so_far.first.empty() && bytes.size() > so_far.first.size() && bytes.starts_with(so_far.first))
    so_far.first = bytes;
  else
    so_far.first += now;
}

}  // namespace

std::optional<std::string> Labels::label_of(const query_words &words, RequestWords &so_far) {
  add_words(so_far, words);
  const Connection connection = {words.hop.sock, words.port};
  const auto known = statements_.find(connection);
  Statements fresh;
  Statements &statements = known != statements_.end() ? known->second : fresh;
  statements.begin(words.hop.ts_ns);
  const std::optional<std::string> label =
      strata::label_of({.first = so_far.first, .read = so_far.read}, literals_of(words), statements);
  if (label == kStartUp) statements = {};  // of a connection that had this place before
  if (known == statements_.end() && !fresh.empty()) statements_of(connection) = std::move(fresh);
  return label;
}

void Labels::learn(const query_words &words) {
  const Connection connection = {words.hop.sock, words.port};
  if (words.hop.kind == QUERY_PREPARED) {
    if (const auto known = statements_.find(connection); known != statements_.end())
      learn_number(bytes_of(words), words.hop.out_ns, known->second);
    return;
  }
  Statements statements;
  statements.begin(words.hop.ts_ns);
  learn_statement(bytes_of(words), literals_of(words), statements);
  if (!statements.empty() || statements_.contains(connection)) statements_of(connection).take(std::move(statements));
}

Statements &Labels::statements_of(const Connection &connection) {
  const auto [at, is_new] = statements_.try_emplace(connection);
  if (!is_new) return at->second;
  known_.push_back(connection);
  if (known_.size() > kMost) {
    statements_.erase(known_.front());
    known_.pop_front();
  }
  return statements_[connection];
}

}  // namespace strata
