// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The line of a relocation. The compiler gives its instruction none: only what uses the value has one, and where the
// optimiser merged two branches not even that. So the lines around it say where to look, and the source which line it
// is.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "object.h"

namespace btfcheck {

class Source {
 public:
  // The line near instruction `insn` that has `word` in it.
  Line line_of(const Section &section, uint32_t insn, const std::string &word);
  // First and last line of the C function around; {0, 0} where there is none, as in a macro.
  std::pair<uint32_t, uint32_t> function_around(const Line &line);

 private:
  static std::vector<Line> guesses(const Section &section, uint32_t insn);
  const std::vector<std::string> &lines(const std::string &file);
  Line nearest(const Line &from, const std::string &word);
  Line first_in(const Section &section, const std::string &word);

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace btfcheck
