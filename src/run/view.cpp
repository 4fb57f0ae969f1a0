// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/view.h"

#include "cli/option.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/histogram.h"
#include "run/session.h"
#include "run/table.h"

namespace strata {
namespace {

bool is_in_value(const Field &column, const Entries &entries) {
  return column.kind != Kind::kNone && column.offset >= entries.value_at &&
         column.offset < entries.value_at + entries.value_bytes;
}

}  // namespace

int run_view(Session &session, Object &object) {
  const auto &shape = session.view().shape;
  if (std::holds_alternative<EventSpec>(shape)) return run_events(session, object);
  if (std::holds_alternative<TableSpec>(shape)) return run_table(session, object);
  if (std::holds_alternative<LinesSpec>(shape)) return run_lines(session, object);
  return run_histogram(session, object);
}

const RecordType &record_of(const View &view) {
  if (const auto *events = std::get_if<EventSpec>(&view.shape)) return *events->record;
  if (const Entries *rows = entries_of_rows(view)) return *rows->record;
  return *std::get<HistogramSpec>(view.shape).entries.record;
}

const Entries *entries_of_rows(const View &view) {
  if (const auto *table = std::get_if<TableSpec>(&view.shape)) return &table->entries;
  const auto *lines = std::get_if<LinesSpec>(&view.shape);
  return lines != nullptr ? &lines->entries : nullptr;
}

bool is_counter(const Field &column, const Entries &entries) {
  const bool as_stored = column.decode.write == nullptr || column.decode.of == Decode::Of::kStored;
  return (column.adds_up || (is_in_value(column, entries) && as_stored)) &&
         (column.unit == Unit::kNone || column.unit == Unit::kBytes || column.unit == Unit::kNs);
}

bool is_label(const Field &column, const Entries &entries) {
  if (column.unit != Unit::kNone || column.adds_up || is_in_value(column, entries)) return false;
  return column.kind != Kind::kNone || (column.decode.type != Type::kInteger && column.decode.type != Type::kNumber);
}

std::span<const std::string_view> formats_of(const View &view) {
  if (!view.formats.empty()) return view.formats;
  if (std::holds_alternative<HistogramSpec>(view.shape)) return kDistributionFormats;
  const auto *table = std::get_if<TableSpec>(&view.shape);
  if (table != nullptr && !table->weight.empty()) return kStackFormats;
  if (std::holds_alternative<EventSpec>(view.shape)) {
    if (record_of(view).packet != nullptr) return kPacketFormats;
    return kRowFormats;
  }
  return kTableFormats;
}

uint32_t common_options_of(const View &view) {
  if (std::holds_alternative<EventSpec>(view.shape))
    return kHasBuffer | kHasColumns | kHasWhen | kHasLimit | kHasRecorder | kHasStack | kHasStackParts | kHasStackLines;
  if (std::holds_alternative<TableSpec>(view.shape))
    return kHasInterval | kHasTable | kHasColumns | kHasWhen | kHasRecorder;
  if (std::holds_alternative<LinesSpec>(view.shape)) return kHasInterval | kHasColumns | kHasWhen | kHasRecorder;
  return kHasInterval | kHasTable | kHasRecorder;
}

}  // namespace strata
