// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/sample_columns.h"

#include <algorithm>

#include "model/column_choice.h"
#include "model/record.h"
#include "rec/names.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/task_groups.h"

namespace strata {
namespace {

constexpr const RecordType *kRecords[] = {&kTaskGroupRecord, &kCgroupRecord};

// Json has more columns than text.
std::vector<Field> chosen_columns(const Session &session) {
  std::vector<Field> chosen;
  for (const size_t i : session.data_columns()) chosen.push_back(session.columns()[i]);
  if (chosen.empty()) chosen.assign(session.columns().begin(), session.columns().end());
  for (Field &column : chosen) column.hidden = !session.shows_column(column.key);
  return chosen;
}

}  // namespace

const std::span<const RecordType *const> kSampleOwnerRecords = kRecords;

SampleColumns::SampleColumns(const Session &session, Resolver &names)
    : names_(names),
      as_it_is_(session.owned_process() == nullptr && session.data_columns().empty()),
      columns_(chosen_columns(session)) {}

// The recording has the name before the number.
uint64_t SampleColumns::look_up(TaskGroups &groups, Session &session, uint32_t tgid) const {
  const uint64_t cgroup = groups.of(tgid);
  if (cgroup != 0) names_.owner(cgroup);
  groups.tell(session, cgroup);
  return cgroup;
}

Value SampleColumns::owner(const Sample &sample, std::string_view key) const {
  const size_t place = index_of(kTaskOwners, key);
  if (sample.cgroup == 0 || place == kTaskOwners.size()) return {};
  const RecordView record = {.data = nullptr, .resolver = names_, .cgroup = sample.cgroup};
  return row_of(kTaskOwners.subspan(place, 1), record).front();
}

void SampleColumns::put(const Sample &sample, Session &session) const {
  if (as_it_is_) return session.out().put(sample);
  Sample chosen = sample;
  chosen.fields.clear();
  for (const Field &column : columns_) {
    const Value *value = value_of(sample.fields, column.key);
    chosen.fields.push_back({&column, value != nullptr ? *value : owner(sample, column.key)});
  }
  session.out().put(chosen);
}

}  // namespace strata
