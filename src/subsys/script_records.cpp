// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_records.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/fd.h"
#include "base/lines.h"
#include "base/outlet.h"
#include "base/text.h"
#include "expr/bcc_line.h"
#include "render/percentiles.h"
#include "run/session.h"
#include "subsys/script.h"
#include "subsys/script_run.h"
#include "sym/mapped.h"

namespace strata {
namespace {

std::string now_text(const std::string &format) {
  const time_t now = time(nullptr);
  tm local = {};
  localtime_r(&now, &local);
  std::array<char, 256> text = {};
  return {text.data(), strftime(text.data(), text.size(), format.c_str(), &local)};
}

// Regular files alone: a name that a traced process has chosen may be that of a pipe.
std::string text_of_file(const std::string &path, size_t most) {
  const Fd file = open_regular(path);
  if (!file) return "cannot read " + printable(path) + "\n";
  std::string all(most, '\0'), text;
  const ssize_t size = read(file.get(), all.data(), all.size());
  all.resize(static_cast<size_t>(std::max<ssize_t>(size, 0)));
  Lines lines = Lines::of(all);
  for (std::string line; lines.next(line);) text += printable(line) + "\n";
  return text;
}

Printed printed_text(const PrintedType &type, std::string text) {
  Printed printed = {.type = &type, .data = {text}, .text = {}};
  printed.text = std::move(text);
  return printed;
}

// The values of a line, by their keys.
class RowOfValues {
 public:
  void add(const std::string &key, Datum value) {
    const size_t dot = key.find('.');
    if (key.ends_with("[]")) return add_to_list(key.substr(0, key.size() - 2), std::move(value));
    if (dot == std::string::npos) return static_cast<void>(by_key_[key] = std::move(value));
    Datum::Object &object = of<Datum::Object>(key.substr(0, dot));
    const std::string name = key.substr(dot + 1);
    std::string first = name;
    for (size_t n = 2; std::ranges::find(object.keys, first) != object.keys.end(); n++)
      first = name + "#" + std::to_string(n);  // one that is printed twice, in two forms
    object.add(std::move(first), std::move(value));
  }
  void add_to_list(const std::string &key, Datum value) { of<Datum::List>(key).push_back(std::move(value)); }

  Datum::Object in_columns(std::span<const Field> columns, const Clocks &clocks) {
    Datum::Object row;
    for (const Field &column : columns) {
      Datum value = std::move(by_key_[std::string(column.key)]);
      if (auto *ns = std::get_if<uint64_t>(&value.held); ns && column.unit == Unit::kWallNs) *ns = clocks.wall_ns(*ns);
      if (const auto *text = std::get_if<std::string>(&value.held); text && text->empty()) value = {};
      row.add(std::string(column.key), std::move(value));
    }
    return row;
  }

 private:
  template <typename Held>
  Held &of(const std::string &key) {
    Datum &datum = by_key_[key];
    if (!std::holds_alternative<Held>(datum.held)) datum.held = Held();
    return std::get<Held>(datum.held);
  }

  std::map<std::string, Datum> by_key_;
};

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

// What comes behind exit() was sent by other processors before they knew. The status of the program's own exit() is
// taken also right behind the line that ends the run.
void ScriptRecords::on_record(const void *record, size_t size) {
  uint64_t number = 0;
  const auto &actions = script_.plan().actions;
  if (size < sizeof(number)) return;
  memcpy(&number, record, sizeof(number));
  if (number >= actions.size() || size < actions[number].bytes()) return;
  if (ended_) {
    const bool is_next = std::exchange(at_limit_, false);
    if (is_next && actions[number].kind == expr::Action::Kind::kExit) status_ = static_cast<int>(actions[number].most);
    return;
  }
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

// A value or a line. Those of `begin` are a head.
void ScriptRecords::show_line(const Printed &printed) {
  put(printed);
  if (!attached_ && run_.begins_with_head) return;
  session_.saw(1);
  if (!attached_ || ++lines_ != run_.most_lines) return;
  ended_ = at_limit_ = true;
  session_.loop().stop(EndReason::kLimit);
}

void ScriptRecords::show(const PrintedType &type, std::string text) { put(printed_text(type, std::move(text))); }

// By its columns; one that the program has no value for is null.
Datum::Object ScriptRecords::row_of(const expr::Action &action, const std::byte *values) const {
  const ScriptText &text = script_.maps().text();
  RowOfValues row;
  size_t behind_head = 0, i = 0;  // of a message
  const std::byte *at = values;
  for (; i < std::min(action.values.size(), action.keys.size()); at += action.values[i++].bytes()) {
    const std::string &key = action.keys[i];
    if (key == expr::kStackKey)
      for (std::string &one : text.frames(action.values[i], at)) row.add_to_list("stack", {std::move(one)});
    else
      row.add(key, text.data_of(action.values[i], at));
    if (key == "function") behind_head = i + 1;
  }
  size_t end = behind_head;
  while (end < action.keys.size() && action.keys[end].starts_with(expr::kMessageKey)) end++;
  std::string message = text.unescaped(action, values, behind_head, end);
  row.add("message", {message.starts_with(' ') ? message.substr(1) : message});
  return row.in_columns(run_.rows, session_.clocks());
}

// What the line is made of goes to those who read data.
void ScriptRecords::print_line(const expr::Action &action, const std::byte *values) {
  std::string text = script_.maps().text().formatted(action, values);
  if (text.find(run_.lines_with) == std::string::npos) return;
  if (run_.rows.empty()) return show_line(printed_text(kPrintfLine, std::move(text)));
  show_line({.text = std::move(text), .row = row_of(action, values)});
}

// To whoever reads bpftrace's form, or waits for its word.
void ScriptRecords::show_attached(size_t places, bool notify) {
  if (run_.like_bpftrace && !run_.quiet)
    put({.type = &kAttachedLine, .data = {Datum::Object{{"probes"}, {{uint64_t{places}}}}}, .text = {}});
  if (!notify) return;
  if (!run_.like_bpftrace && !run_.quiet) say("Attached %zu probe%s\n", places, places == 1 ? "" : "s");
  show(kNotifyLine, "__BPFTRACE_NOTIFY_PROBES_ATTACHED\n");
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
    case kPrintf:
      return print_line(action, values);
    case kError:
      if (run_.quiet && action.warns) return;
      session_.out().flush();
      return say_text(text.formatted(action, values));
    case kCat:
      return show(kCatLine, text_of_file(text.unescaped(action, values), script_.plan().settings.cat_bytes));
    case kSystem:  // a shell reads it: as people see it
      session_.out().flush();
      if (system(text.formatted(action, values).c_str()) == -1) say_text("strata run: system() failed\n");
      return;
    case kPrintValue: {
      // Of a program of rows, their heading.
      const Printed printed = {.type = run_.rows.empty() ? &kValueLine : nullptr,
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
      return script_.maps().clear(action.map, action.behind_print);
    case kZero:
      return script_.maps().zero(action.map);
    case kTime:
      return show(kTimeLine, now_text(action.format));
    case kJoin: {
      const std::string line = text.joined(action, values);
      return show_line({.type = &kJoinLine, .data = {line}, .text = line + "\n"});
    }
    case kExit:
      ended_ = true;
      status_ = static_cast<int>(action.most);
      return session_.loop().stop(run_.by_exit);
  }
}

}  // namespace strata
