// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// With which of its columns a sample is shown: those of --columns, and whose its process is. That is looked up where
// the sample begins, and in a recording stands before that record, as before those of other tools (run/task_groups.h):
// when a sample ends, its process may be long gone, or in another group.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/sample.h"
#include "rec/record_line.h"

namespace strata {

class Resolver;
class Session;
class TaskGroups;

class SampleColumns {
 public:
  SampleColumns(const Session &session, Resolver &names);

  // The group of a process (0: none), which is recorded, and its names.
  uint64_t look_up(TaskGroups &groups, Session &session, uint32_t tgid) const;
  [[nodiscard]] Value owner(const Sample &sample, std::string_view key) const;  // its unit, container or pod
  void put(const Sample &sample, Session &session) const;

 private:
  Resolver &names_;
  const bool as_it_is_;         // the whole sample
  std::vector<Field> columns_;  // else, hidden where text does not show them
};

extern const std::span<const RecordType *const> kSampleOwnerRecords;  // of a recording, if it was asked

}  // namespace strata
