// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/sample_columns.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/column_choice.h"
#include "model/record.h"
#include "rec/names.h"
#include "run/resolver.h"
#include "run/session.h"

namespace strata {
namespace {

constexpr std::string_view kProcess = "tgid";  // of every record of a hop, and of every sample

constexpr const RecordType *kRecords[] = {&kTaskGroupRecord, &kCgroupRecord};

uint32_t process_of(const RecordType &type, const void *record) {
  const auto field = std::ranges::find(type.fields, kProcess, &Field::name);
  return field != type.fields.end() ? load_at<uint32_t>(record, field->offset) : 0;
}

const Value *value_of(const Sample &sample, std::string_view key) {
  const auto has_key = [key](const NamedValue &field) { return field.column->key == key; };
  const auto found = std::ranges::find_if(sample.fields, has_key);
  return found != sample.fields.end() ? &found->value : nullptr;
}

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
      owned_(session.owned_process() != nullptr),
      as_it_is_(!owned_ && session.data_columns().empty()),
      columns_(chosen_columns(session)) {}

void SampleColumns::look_up(TaskGroups &groups, Session &session, const RecordType &type, const void *record) {
  const uint32_t tgid = owned_ ? process_of(type, record) : 0;
  if (tgid == 0) return;
  const uint64_t cgroup = groups.now_of(tgid);
  is_in(tgid, cgroup);
  groups.tell(session, cgroup);
}

bool SampleColumns::learn(const Record &record) {
  if (record.type == &kTaskGroupRecord)
    next_ = reinterpret_cast<const task_group *>(record.bytes.data())->cgroup;
  else if (record.type == &kCgroupRecord)
    return names_.learn(record);
  else if (const uint32_t tgid = next_ ? process_of(*record.type, record.bytes.data()) : 0; tgid != 0)
    is_in(tgid, *std::exchange(next_, std::nullopt));
  return record.type == &kTaskGroupRecord;
}

// The recording has the name before the number.
void SampleColumns::is_in(uint32_t tgid, uint64_t cgroup) {
  if (cgroup == 0) return;
  names_.owner(cgroup);
  groups_[tgid] = cgroup;
}

Value SampleColumns::owner(const Sample &sample, std::string_view key) const {
  const Value *process = value_of(sample, kProcess);
  const auto *tgid = process != nullptr ? std::get_if<uint64_t>(process) : nullptr;
  const auto group = tgid != nullptr ? groups_.find(static_cast<uint32_t>(*tgid)) : groups_.end();
  const size_t place = index_of(kTaskOwners, key);
  if (group == groups_.end() || place == kTaskOwners.size()) return {};
  const RecordView record = {.data = nullptr, .resolver = names_, .cgroup = group->second};
  return row_of(kTaskOwners.subspan(place, 1), record).front();
}

void SampleColumns::put(const Sample &sample, Session &session) const {
  if (as_it_is_) return session.out().put(sample);
  Sample chosen = sample;
  chosen.fields.clear();
  for (const Field &column : columns_) {
    const Value *value = value_of(sample, column.key);
    chosen.fields.push_back({&column, value != nullptr ? *value : owner(sample, column.key)});
  }
  session.out().put(chosen);
}

}  // namespace strata
