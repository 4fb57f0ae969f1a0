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

}  // namespace

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

void ScriptRecords::show(std::string_view type, std::string text) {
  put({.type = type, .data = {text}, .text = std::move(text)});
}

void ScriptRecords::print_line(std::string text) {
  if (text.find(run_.lines_with) == std::string::npos) return;
  show("printf", std::move(text));
  if (++lines_ != run_.most_lines) return;
  ended_ = true;
  session_.loop().stop("limit");
}

void ScriptRecords::notify() {
  show("notify", "__BPFTRACE_NOTIFY_PROBES_ATTACHED\n");
  session_.out().flush();
}

void ScriptRecords::show_maps() {
  for (uint32_t map = 0; map < script_.plan().maps.size(); map++) {
    if (cleared_at_end_.contains(map)) continue;
    Printed printed = script_.maps().shown(map);
    if (printed.text.empty()) continue;
    if (within_line_) printed.text.insert(0, "\n\n");  // as after a title that `end` has printed
    put(printed);
  }
}

void ScriptRecords::act(const expr::Action &action, const std::byte *values) {
  using enum expr::Action::Kind;
  const ScriptText &text = script_.maps().text();
  switch (action.kind) {
    case kPrintf:
      return print_line(text.formatted(action, values));
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
      return put(printed);
    }
    case kPrintMap:
      return put(script_.maps().shown(action.map, action.most, action.divisor));
    case kClear:
      if (at_end_) cleared_at_end_.insert(action.map);
      return script_.maps().clear(action.map);
    case kZero:
      return script_.maps().zero(action.map);
    case kTime:
      return show("time", now_text(action.format));
    case kJoin:
      return show("join", text.joined(action, values));
    case kExit:
      ended_ = true;
      status_ = static_cast<int>(action.most);
      return session_.loop().stop("exit");
  }
}

}  // namespace strata
