// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a run's stacks are, all intervals together; the name of the file says how they are drawn.
#include "render/flame.h"

#include "base/text.h"
#include "render/formats.h"
#include "render/page.h"
#include "render/stack_rows.h"
#include "render/value.h"

namespace strata {
namespace {

class FlameFile : public Sink {
 public:
  FlameFile(Writer writer, DrawFlame draw) : Sink(std::move(writer)), draw_(draw) {}

  void put(const Item &item) override { dispatch(*this, item); }
  [[nodiscard]] bool wants_stacks() const override { return true; }
  void on(const RunInfo &info) {
    page_.title = printable(info.head.program);
    if (const std::string run = run_text(info.head); !run.empty()) page_.notes.push_back(run);
    clocks_ = info.head.clocks;
  }
  void on(const Table &table);
  void on(const StackComparison &comparison);
  void on(const Losses &losses) {
    for (const Loss &loss : losses.of) page_.losses.push_back(lost_text(loss));
  }
  void on(const End &);

 private:
  DrawFlame draw_;
  FlamePage page_;
  Clocks clocks_;
  StackTree tree_;
  const StackTree *compared_ = nullptr;  // instead
  uint64_t from_ns_ = 0, to_ns_ = 0;
};

void FlameFile::on(const Table &table) {
  if (!table.weight) return;
  if (page_.weight == nullptr) from_ns_ = table.from_ns;
  to_ns_ = table.to_ns;
  page_.weight = &table.columns[*table.weight];
  const StackRows stacks(table.columns);
  page_.threads = stacks.have_threads();
  for (const Row &row : table.rows) stacks.add_to(tree_, row, std::get<uint64_t>(row[*table.weight]));
}

void FlameFile::on(const End &) {
  if (page_.weight != nullptr && !page_.differential) {
    page_.notes.push_back(span_text(clocks_, from_ns_, to_ns_) + "; " + weight_text(*page_.weight, tree_.total()[0]));
  }
  write(draw_(page_, compared_ != nullptr ? *compared_ : tree_));
}

void FlameFile::on(const StackComparison &comparison) {
  compared_ = &comparison.tree;
  page_.weight = &comparison.weight;
  page_.notes = comparison.notes;
  page_.threads = comparison.threads;
  page_.differential = true;
  page_.scale = comparison.scale;
}

}  // namespace

DrawFlame flame_by_name(std::string_view file) { return file.ends_with(".html") ? flame_html : flame_svg; }

std::string weight_text(const Field &weight, uint64_t amount) {
  const std::string text = value_text(weight, amount, {});
  return weight.unit == Unit::kNone ? text + " " + label_of(weight) : text;
}

std::unique_ptr<Sink> make_flame_sink(Writer writer) {
  const DrawFlame draw = flame_by_name(writer.name());
  return std::make_unique<FlameFile>(std::move(writer), draw);
}

}  // namespace strata
