// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a recording is of: the tool that made it, and how it was called.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/values.h"
#include "model/loss.h"
#include "rec/recording.h"
#include "run/tool.h"

namespace strata {

// Throws Error: of a tool that this program has not, or that cannot be replayed.
const Tool &recorded_tool(const std::string &program);

// The options of the run; none where the recording does not have them, or another version wrote some that are not known
// here.
std::optional<Values> recorded_values(const Tool &tool, const RecordingHead &head);

// The first of the tool's own options in which two runs of it differ; nullptr: there is none.
const Option *differing_option(const Tool &tool, const Values &a, const Values &b);

// Of one that was read: its losses, and that a part of it is missing, as one more. Throws Error if a signal ended that.
std::vector<Loss> losses_of(const Recording &recording, const std::string &file);

// Of recordings that are shown as one: each loss with its file.
std::vector<Loss> losses_by_file(const std::vector<std::pair<std::string, std::vector<Loss>>> &files);

// nullptr of a tool without views.
const View *recorded_view(const Tool &tool, const std::optional<Values> &values, Recording &recording);

// One of several, and all of that. Throws Error.
struct RecordedRun {
  explicit RecordedRun(const std::string &name);

  [[nodiscard]] std::string host() const;  // its name; of one without, the file's

  std::string file;
  Recording recording;
  const Tool &tool;
  std::optional<Values> values;
  const View *view;
  const Followed *followed;
};

}  // namespace strata
