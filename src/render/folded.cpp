// Folded stacks: what flamegraph.pl, speedscope and inferno read.
#include <algorithm>

#include "base/text.h"
#include "render/formats.h"
#include "render/value.h"

namespace strata {
namespace {

class FoldedSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) { info_ = info; }

  void on(const Table &table) {
    if (!table.weight) return;
    const Schema columns = table.columns;
    const auto stack = std::find_if(columns.begin(), columns.end(), [](auto &c) { return c.unit == Unit::kStack; });
    const auto comm = std::find_if(columns.begin(), columns.end(), [](auto &c) { return c.key == "comm"; });
    for (const Row &row : table.rows) {
      std::string line;
      if (comm != columns.end()) line = part(text_of(row[static_cast<size_t>(comm - columns.begin())]));
      if (stack != columns.end()) add_frames(line, text_of(row[static_cast<size_t>(stack - columns.begin())]));
      write(line + " " + exact_text(columns[*table.weight], row[*table.weight], info_.head.clocks) + "\n");
    }
  }

 private:
  static std::string text_of(const Value &value) {
    const auto *text = std::get_if<std::string>(&value);
    return text == nullptr ? "" : *text;
  }

  // The separator is the format's own.
  static std::string part(std::string_view text) {
    std::string name = printable(text);
    std::replace(name.begin(), name.end(), ';', ':');
    return name;
  }

  // In the recording's order the innermost is first; here it is last.
  static void add_frames(std::string &line, std::string_view stack) {
    const auto frames = frames_of(stack);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) line.append(";").append(part(*frame));
  }

  RunInfo info_;
};

}  // namespace

std::unique_ptr<Sink> make_folded_sink(Writer writer) { return std::make_unique<FoldedSink>(std::move(writer)); }

}  // namespace strata
