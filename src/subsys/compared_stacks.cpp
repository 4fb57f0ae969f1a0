// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/compared_stacks.h"

#include <fcntl.h>
#include <unistd.h>

#include <optional>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"
#include "model/column_choice.h"
#include "rec/folded.h"
#include "rec/recording.h"
#include "render/stack_rows.h"
#include "render/value.h"
#include "run/recorded.h"
#include "run/replay.h"
#include "run/table.h"

namespace strata {
namespace {

using Side = ComparedStacks::Side;

constexpr Field kFolded = {.key = "counts"};

// As every recording begins. A pipe is not asked: what is read of it is gone.
bool is_recording(const std::string &file) {
  constexpr std::string_view kBegin = "strata-recording ";
  char text[kBegin.size()];
  const Fd in(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  return in && regular_file_id(in.get()) && pread(in.get(), text, sizeof(text), 0) == sizeof(text) &&
         std::string_view(text, sizeof(text)) == kBegin;
}

const TableSpec &stacks_of(const std::string &file, const Tool &tool, const View *view) {
  const auto *spec = view == nullptr ? nullptr : std::get_if<TableSpec>(&view->shape);
  if (spec == nullptr || spec->weight.empty())
    throw Error(printable(file) + " is a recording of strata " + std::string(tool.name) + ", which counts no stacks");
  return *spec;
}

void read_recording(Side &side, StackTree &tree, size_t run) {
  RecordedRun recorded(side.file);
  const TableSpec &spec = stacks_of(side.file, recorded.tool, recorded.view);
  side.tool = &recorded.tool;
  const std::vector<Field> columns = columns_of(spec.entries.record->fields);
  const size_t weight = index_of(columns, spec.weight);
  side.weight = columns[weight];
  const StackRows rows(columns);
  side.threads = rows.have_threads();
  const RecordType *const types[] = {spec.entries.record};
  NamedRecords records(recorded.recording, types);
  for (Record record; records.next(record);) {
    const Row row = row_of(columns, {.data = record.bytes.data(), .resolver = records.resolver()});
    rows.add_to(tree, row, std::get<uint64_t>(row[weight]), run);
  }
  side.losses = losses_of(recorded.recording, side.file);
}

Side read_side(const std::string &file, StackTree &tree, size_t run) {
  Side side = {.file = file, .weight = kFolded, .losses = {}};
  if (is_recording(file))
    read_recording(side, tree, run);
  else
    read_folded(file, tree, run);
  if (tree.total()[run] == 0) throw Error(printable(file) + " has no stacks");
  return side;
}

void check_same(const Side &a, const Side &b) {
  if (a.tool == nullptr || b.tool == nullptr || (a.tool == b.tool && a.weight.key == b.weight.key)) return;
  const auto name = [](const Side &side) {
    return printable(side.file) + " is of strata " + std::string(side.tool->name) + ", counted in " +
           label_of(side.weight);
  };
  throw Error(name(a) + ", and " + name(b) + ": only recordings of one tool can be compared");
}

std::string note(const char *which, const Side &side, uint64_t total) {
  return std::string(which) + ": " + printable(side.file) + ", " + value_text(side.weight, total, {}) + " " +
         label_of(side.weight);
}

}  // namespace

bool has_rows(const std::string &file) {
  if (!is_recording(file)) return false;
  const RecordedRun run(file);
  const auto *table = run.view == nullptr ? nullptr : std::get_if<TableSpec>(&run.view->shape);
  return table == nullptr || table->weight.empty();
}

ComparedStacks::ComparedStacks(const std::string &file_a, const std::string &file_b)
    : a(read_side(file_a, tree, 0)), b(read_side(file_b, tree, 1)) {
  check_same(a, b);
}

std::vector<Loss> ComparedStacks::losses() const { return losses_by_file({{a.file, a.losses}, {b.file, b.losses}}); }

StackComparison ComparedStacks::comparison(bool raw) const {
  const StackTree::Weights &total = tree.total();
  return {.tree = tree,
          .weight = a.tool != nullptr ? a.weight : b.weight,
          .threads = threads(),
          .scale = raw ? 1 : static_cast<double>(total[1]) / static_cast<double>(total[0]),
          .notes = {note("before", a, total[0]), note("after", b, total[1])}};
}

}  // namespace strata
