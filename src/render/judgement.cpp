// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/judgement.h"

#include <algorithm>
#include <variant>

#include "base/format.h"
#include "base/text.h"
#include "render/line.h"
#include "render/text.h"
#include "render/value.h"

namespace strata {
namespace {

// Exactly: a gate may fail by one.
std::string number_text(Unit unit, uint64_t number) {
  if (unit == Unit::kNs) return scaled_ns(number);
  if (unit != Unit::kBytes) return std::to_string(number);
  const std::string exactly = std::to_string(number) + "B", scaled = scaled_bytes(number);
  return scaled == exactly ? exactly : exactly + " (" + scaled + ")";
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"measured", "holds", "fails", "invalid"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string label_of(const Judged &judged) {
  return judged.name.empty() ? judged.gate : judged.name + ": " + judged.gate;
}

std::string got_text(const Judged &judged) {
  std::vector<std::string> numbers;
  for (const uint64_t value : judged.values) numbers.push_back(number_text(judged.unit, value));
  std::string text = comma_list(numbers);
  if (judged.baseline) text += "; baseline " + number_text(judged.unit, *judged.baseline);
  if (!judged.why.empty()) text += (text.empty() ? "" : "; ") + printable(judged.why);
  return text;
}

std::vector<std::string> evidence_lines(const Evidence &evidence, const Clocks &clocks) {
  if (evidence.rows.empty()) return {};
  std::vector<size_t> shown, stacks;
  for (size_t i = 0; i < evidence.columns.size(); i++)
    (evidence.columns[i].unit == Unit::kStack ? stacks : shown).push_back(i);
  TextLine line(evidence.columns, shown, clocks, true);
  const auto finished = [&] {
    const std::string_view text = line.end();
    return std::string(text.substr(0, text.find_last_not_of(" \n") + 1));
  };
  const auto line_of = [&](const Row &row) {
    line.begin();
    for (const size_t i : shown) line.add(row[i]);
    return finished();
  };
  for (const Row &row : evidence.rows) line_of(row);  // widens the columns
  line.begin();
  for (const size_t i : shown) line.text(evidence.columns[i].title);
  std::vector<std::string> lines = {finished()};
  for (const Row &row : evidence.rows) {
    lines.push_back(line_of(row));
    for (const size_t i : stacks)
      if (const auto *stack = std::get_if<std::string>(&row[i]))
        for (const std::string_view frame : frames_of(*stack)) lines.push_back("    " + printable(frame));
  }
  if (evidence.more != 0) lines.push_back("... and " + std::to_string(evidence.more) + " more");
  return lines;
}

std::string totals_text(const Judgement &judgement) {
  std::vector<std::string> parts;
  const auto add = [&](Verdict verdict, const char *one, const char *several) {
    const uint64_t n = judgement.count(verdict);
    if (n != 0) parts.push_back(std::to_string(n) + " " + (n == 1 ? one : several));
  };
  add(Verdict::kHolds, "holds", "hold");
  add(Verdict::kFails, "fails", "fail");
  add(Verdict::kInvalid, "invalid", "invalid");
  add(Verdict::kMeasured, "measured", "measured");
  std::string text = "gates: " + comma_list(parts);
  if (judgement.runs > 1) text += "; " + std::to_string(judgement.runs) + " runs";
  if (judgement.status != 0) text += "; the command failed: exit status " + std::to_string(judgement.status);
  return text;
}

// What a line has no room for goes on below: a longer gate alone in its line, and what was got below the others' there.
std::string judgement_text(const Judgement &judgement, const Clocks &clocks, const Paint &paint, size_t columns) {
  constexpr int kVerdictCells = 8;
  size_t widest = 0;
  for (const Judged &one : judgement.gates) widest = std::max(widest, cells(printable(label_of(one))));
  widest = std::min(widest, columns / 2 - 2);
  const size_t before = kVerdictCells + 2 + widest + 2;
  std::string text;
  for (const Judged &one : judgement.gates) {
    const bool bad = one.verdict == Verdict::kFails || one.verdict == Verdict::kInvalid;
    const std::string label = printable(label_of(one));
    text += formatted("{}{}{}  ", bad ? paint.red : "", padded(name_of(one.verdict), -kVerdictCells),
                      bad ? paint.plain : "");
    text += cells(label) > widest ? label + "\n" + std::string(before, ' ')
                                  : padded(label, -static_cast<int>(widest)) + "  ";
    const std::vector<std::string> got = wrapped(got_text(one), columns - before);
    for (size_t i = 0; i < got.size(); i++) text += (i == 0 ? "" : std::string(before, ' ')) + got[i] + "\n";
    if (one.verdict != Verdict::kFails) continue;
    for (const std::string &line : evidence_lines(one.evidence, clocks)) text += "    " + line + "\n";
  }
  return text + totals_text(judgement) + "\n";
}

}  // namespace strata
