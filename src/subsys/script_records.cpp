// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_records.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "base/fd.h"
#include "base/lines.h"
#include "base/outlet.h"
#include "base/text.h"
#include "render/percentiles.h"
#include "run/session.h"
#include "subsys/script.h"
#include "subsys/script_run.h"
#include "sym/mapped.h"

namespace strata {
namespace {

constexpr size_t kMostOfFile = 1 << 20;

std::string now_text(const std::string &format) {
  const time_t now = time(nullptr);
  tm local = {};
  localtime_r(&now, &local);
  std::array<char, 256> text = {};
  return {text.data(), strftime(text.data(), text.size(), format.c_str(), &local)};
}

// Regular files alone: a name that a traced process has chosen may be that of a pipe.
std::string text_of_file(const std::string &path) {
  const Fd file = open_regular(path);
  if (!file) return "cannot read " + printable(path) + "\n";
  std::string all(kMostOfFile, '\0'), text;
  const ssize_t size = read(file.get(), all.data(), all.size());
  all.resize(static_cast<size_t>(std::max<ssize_t>(size, 0)));
  Lines lines = Lines::of(all);
  for (std::string line; lines.next(line);) text += printable(line) + "\n";
  return text;
}

Printed printed_text(std::string_view type, std::string text) {
  Printed printed = {.type = type, .data = {text}, .text = {}};
  printed.text = std::move(text);
  return printed;
}

}  // namespace

ScriptRecords::ScriptRecords(Session &session, Script &script, const ScriptRun &run)
    : session_(session),
      script_(script),
      run_(run),
      histograms_(session, script.plan(), script.maps(), run.histograms, run.cumulative) {
  if (!run.quiet) session.count_seen();
}

void ScriptRecords::attached() { attached_ = true; }

bool ScriptRecords::shows_nothing_yet() const {
  using enum expr::Action::Kind;
  const expr::Plan &plan = script_.plan();
  return std::ranges::all_of(
             plan.actions,
             [](const expr::Action &one) { return one.kind == kClear || one.kind == kZero || one.kind == kExit; }) &&
         std::ranges::none_of(plan.programs, [](const expr::Code &code) { return code.target.is("interval"); });
}

std::function<std::string()> ScriptRecords::counting() const {
  if (!run_.histograms.empty()) return [this] { return count_text(histograms_.values()); };
  const auto &maps = script_.plan().maps;
  if (std::ranges::all_of(maps, [](const expr::MapPlan &map) { return map.key.empty(); })) return {};
  return [this, &maps] {
    size_t keys = 0;
    for (uint32_t map = 0; map < maps.size(); map++)
      if (!maps[map].key.empty()) keys += script_.maps().read(map, false).size();
    return std::to_string(keys) + (keys == 1 ? " key" : " keys");
  };
}

// What comes behind exit() was sent by other processors before they knew.
void ScriptRecords::on_record(const void *record, size_t size) {
  uint64_t number = 0;
  const auto &actions = script_.plan().actions;
  if (size < sizeof(number)) return;
  memcpy(&number, record, sizeof(number));
  if (ended_ || number >= actions.size() || size < actions[number].bytes()) return;
  act(actions[number], static_cast<const std::byte *>(record) + sizeof(number));
}

void ScriptRecords::go_on() {
  ended_ = false;
  at_end_ = true;
}

void ScriptRecords::put(const Printed &printed) {
  if (!printed.text.empty()) within_line_ = printed.text.back() != '\n';
  session_.out().put(printed);
}

void ScriptRecords::show(std::string_view type, std::string text) { put(printed_text(type, std::move(text))); }

// A value or a line. Those of `begin` are a head.
void ScriptRecords::show_line(const Printed &printed) {
  put(printed);
  if (!attached_ && run_.begins_with_head) return;
  session_.saw(1);
  if (!attached_ || ++lines_ != run_.most_lines) return;
  ended_ = true;
  session_.loop().stop("limit");
}

void ScriptRecords::notify() {
  show("notify", "__BPFTRACE_NOTIFY_PROBES_ATTACHED\n");
  session_.out().flush();
}

void ScriptRecords::show_maps() {
  const auto maps = static_cast<uint32_t>(script_.plan().maps.size());
  for (uint32_t map = 0; map < maps; map++) put_histogram(map);
  for (uint32_t map = 0; map < maps; map++) {
    if (cleared_at_end_.contains(map) || histograms_.has(map)) continue;
    Printed printed = script_.maps().shown(map);
    if (printed.text.empty()) continue;
    if (within_line_) printed.text.insert(0, "\n\n");  // as after a title that `end` has printed
    put_map(map, std::move(printed));
  }
}

void ScriptRecords::put_histogram(uint32_t map) {
  histograms_.put(map);
  behind_histogram_ = behind_histogram_ || histograms_.has(map);
}

void ScriptRecords::put_map(uint32_t map, Printed printed) {
  if (histograms_.counts_below(map) && script_.maps().is_zero(map)) return;
  if (!seen_map_ && !printed.text.empty() && !script_.maps().is_zero(map)) {
    session_.saw(1);
    seen_map_ = true;
  }
  if (!printed.text.empty() && std::exchange(behind_histogram_, false)) printed.text.insert(0, "\n");
  put(printed);
}

void ScriptRecords::act(const expr::Action &action, const std::byte *values) {
  using enum expr::Action::Kind;
  const ScriptText &text = script_.maps().text();
  switch (action.kind) {
    case kPrintf: {
      std::string line = text.formatted(action, values);
      if (line.find(run_.lines_with) == std::string::npos) return;
      return show_line(printed_text("printf", std::move(line)));
    }
    case kError:
      session_.out().flush();
      return say_text(text.formatted(action, values));
    case kCat:
      return show("cat", text_of_file(text.formatted(action, values)));
    case kSystem:
      session_.out().flush();
      if (system(text.formatted(action, values).c_str()) == -1) say_text("strata run: system() failed\n");
      return;
    case kPrintValue: {
      const Printed printed = {.type = "value",
                               .data = text.data_of(action.values[0], values),
                               .text = text.of(action.values[0], values) + "\n"};
      return show_line(printed);
    }
    case kPrintMap:
      if (histograms_.has(action.map)) return put_histogram(action.map);
      return put_map(action.map, script_.maps().shown(action.map, action.most, action.divisor));
    case kClear:
      if (histograms_.has(action.map)) return;  // what was shown is subtracted
      if (at_end_) cleared_at_end_.insert(action.map);
      return script_.maps().clear(action.map);
    case kZero:
      return script_.maps().zero(action.map);
    case kTime:
      return show("time", now_text(action.format));
    case kJoin:
      return show_line(printed_text("join", text.joined(action, values)));
    case kExit:
      ended_ = true;
      status_ = static_cast<int>(action.most);
      return session_.loop().stop("exit");
  }
}

}  // namespace strata
