// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "source.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace btfcheck {

namespace {

bool in_word(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool has_word(const std::string &line, const std::string &word) {
  for (size_t at = 0; (at = line.find(word, at)) != std::string::npos; ++at) {
    const bool begins = at == 0 || !in_word(line[at - 1]);
    if (begins && (at + word.size() == line.size() || !in_word(line[at + word.size()]))) return true;
  }
  return false;
}

uint32_t distance(const Line &a, const Line &b) {
  return a.number > b.number ? a.number - b.number : b.number - a.number;
}

}  // namespace

const std::vector<std::string> &Source::lines(const std::string &file) {
  const auto [at, fresh] = files_.try_emplace(file);
  if (!fresh) return at->second;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) at->second.push_back(line);
  return at->second;
}

// Line 0 if the file has no such word.
Line Source::nearest(const Line &from, const std::string &word) {
  Line best = {from.file, 0};
  const std::vector<std::string> &text = lines(from.file);
  for (uint32_t i = 0; i < text.size(); ++i) {
    const Line here = {from.file, i + 1};
    const bool nearer = best.number == 0 || distance(here, from) < distance(best, from);
    if (nearer && has_word(text[i], word)) best = here;
  }
  return best;
}

// The lines from the instruction on to the call that uses its value, such as a probe read; then the one before.
std::vector<Line> Source::guesses(const Section &section, uint32_t insn) {
  std::vector<Line> result;
  uint32_t use = insn;
  while (use + 1 < section.insns.size() && section.insns[use].code != (BPF_JMP | BPF_CALL)) ++use;
  const auto first = section.lines.lower_bound(insn);
  for (auto at = first; at != section.lines.end() && at->first <= use; ++at) result.push_back(at->second);
  if (first != section.lines.begin()) result.push_back(std::prev(first)->second);
  std::erase_if(result, [](const Line &line) { return line.number == 0; });  // code of several lines
  return result;
}

Line Source::line_of(const Section &section, uint32_t insn, const std::string &word) {
  Line best;
  uint32_t least = UINT32_MAX;
  const std::vector<Line> near = guesses(section, insn);
  for (const Line &guess : near) {
    const Line line = nearest(guess, word);
    if (line.number == 0 || distance(line, guess) >= least) continue;
    best = line, least = distance(line, guess);
  }
  if (best.number) return best;
  const Line anywhere = first_in(section, word);
  return anywhere.number || near.empty() ? anywhere : near.front();
}

// In any file that the section has code from: two branches that look alike become one without a line.
Line Source::first_in(const Section &section, const std::string &word) {
  std::set<std::string> files;
  for (const auto &[insn, line] : section.lines) files.insert(line.file);
  for (const std::string &file : files) {
    const Line line = nearest({file, 1}, word);
    if (line.number) return line;
  }
  return {section.name, 0};
}

// In this tree's style a function's braces, and nothing else but a struct's end, stand in the first column.
std::pair<uint32_t, uint32_t> Source::function_around(const Line &line) {
  const std::vector<std::string> &text = lines(line.file);
  uint32_t first = line.number;
  if (line.number == 0 || line.number > text.size()) return {0, 0};
  while (first > 0 && !text[first - 1].starts_with('{') && !text[first - 1].starts_with('}')) --first;
  uint32_t last = line.number;
  while (last <= text.size() && !text[last - 1].starts_with('}')) ++last;
  if (first == 0 || last > text.size() || !text[first - 1].starts_with('{')) return {0, 0};
  return {first, last};
}

}  // namespace btfcheck
