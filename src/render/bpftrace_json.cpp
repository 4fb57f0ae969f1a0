// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program prints as bpftrace's -f json has it, for its readers: no line about the run, a blank behind each colon
// and each comma but those of lists of plain values, and losses as a line.
#include "render/bpftrace_json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "render/json_value.h"

namespace strata {
namespace {

// Of text that a JSON library wrote without blanks.
std::string spaced(std::string_view json) {
  std::string out, within;  // what is open: { and [
  bool quoted = false;
  for (size_t i = 0; i < json.size(); i++) {
    const char c = json[i];
    out += c;
    if (c == '\\') {
      out += json[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      continue;
    } else if (c == '{' || c == '[') {
      within += c;
    } else if (c == '}' || c == ']') {
      within.pop_back();
    } else if (c == ':' || within.back() == '{' || json[i + 1] == '{') {
      if (c == ':' || c == ',') out += ' ';
    }
  }
  return out;
}

class BpftraceJsonSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const Printed &printed) {
    if (printed.type == &kNotifyLine) return write(printed.text);  // a word, whatever the format
    if (printed.type == nullptr) return;
    const bool averages = printed.type == &kAverageLine;
    put_line({{"type", averages ? kStatsLine.name : printed.type->name}, {"data", to_json(printed.data)}});
  }

  void on(const Losses &losses) {
    uint64_t all = 0;
    for (const Loss &loss : losses.of) all += loss.count;
    if (all != 0) put_line({{"type", "lost_events"}, {"data", {{"events", all}}}});
  }

 private:
  void put_line(const Json &json) { write(spaced(dump(json)) + "\n"); }
};

}  // namespace

std::unique_ptr<Sink> make_bpftrace_json_sink(Writer writer) {
  return std::make_unique<BpftraceJsonSink>(std::move(writer));
}

}  // namespace strata
