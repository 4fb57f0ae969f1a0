// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Labels of requests, piece by piece as a server reads them, and what was prepared on each connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "follow/query.h"
#include "follow/query/label.h"

namespace strata {

struct RequestWords {
  std::string first;  // bytes
  uint64_t read = 0;  // in all
};

class Labels {
 public:
  static constexpr size_t kMost = 4096;  // connections on which something is prepared

  // As far as it is known with these bytes. `so_far` is the request's.
  std::optional<std::string> label_of(const query_words &words, RequestWords &so_far);
  void learn(const query_words &words);  // what is prepared on a connection whose request is no sample, and its number

 private:
  using Connection = std::pair<uint64_t, uint32_t>;  // socket, and the client's port or process

  Statements &statements_of(const Connection &connection);

  std::map<Connection, Statements> statements_;
  std::deque<Connection> known_;  // the oldest first
};

}  // namespace strata
