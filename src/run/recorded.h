// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a recording is of: the tool that made it, and how it was called.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/values.h"
#include "model/loss.h"
#include "rec/recording.h"
#include "run/tool.h"

namespace strata {

// The first of the tool's own options in which two runs of it differ; nullptr: there is none.
const Option *differing_option(const Tool &tool, const Values &a, const Values &b);

// Of one that was read: its losses, and that a part of it is missing, as one more. Throws Error if a signal ended that.
std::vector<Loss> losses_of(const Recording &recording, const std::string &file);

// Of recordings that are shown as one: each loss with its file.
std::vector<Loss> losses_by_file(const std::vector<std::pair<std::string, std::vector<Loss>>> &files);

// A recording, and what it is of. Throws Error: of a tool that this program has not, or that cannot be replayed.
struct RecordedRun {
  explicit RecordedRun(const std::string &name);

  [[nodiscard]] std::string host() const;  // its name; of one without, the file's

  std::string file;
  Recording recording;
  const Tool &tool;
  std::optional<Values> values;  // of the run: none where it does not have them, or another version wrote unknown ones
  const View *view;              // nullptr of a tool without views
  const Followed *followed;      // nullptr: none
};

// Of runs that were read: losses_of() and losses_by_file() of them.
std::vector<Loss> losses_of(std::span<const std::unique_ptr<RecordedRun>> runs);

}  // namespace strata
