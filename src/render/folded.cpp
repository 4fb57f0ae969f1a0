// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Folded stacks: what flamegraph.pl, speedscope and inferno read.
#include <algorithm>

#include "base/text.h"
#include "render/formats.h"
#include "render/stack_rows.h"
#include "render/value.h"

namespace strata {
namespace {

class FoldedSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }
  [[nodiscard]] bool wants_stacks() const override { return true; }

  void on(const RunInfo &info) { info_ = info; }

  void on(const Table &table) {
    if (!table.weight) return;
    const StackRows stacks(table.columns);
    for (const Row &row : table.rows) {
      std::string line;
      for (const std::string_view frame : stacks.frames(row)) line.append(line.empty() ? "" : ";").append(part(frame));
      write(line + " " + exact_text(table.columns[*table.weight], row[*table.weight], info_.head.clocks) + "\n");
    }
  }

 private:
  // The separator is the format's own.
  static std::string part(std::string_view text) {
    std::string name = printable(text);
    std::replace(name.begin(), name.end(), ';', ':');
    return name;
  }

  RunInfo info_;
};

}  // namespace

std::unique_ptr<Sink> make_folded_sink(Writer writer) { return std::make_unique<FoldedSink>(std::move(writer)); }

}  // namespace strata
