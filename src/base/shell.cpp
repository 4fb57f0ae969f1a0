// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/shell.h"

#include <algorithm>

#include "base/text.h"

namespace strata {
namespace {

constexpr std::string_view kUnquoted = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

bool needs_no_quotes(std::string_view word) {
  return !word.empty() && word.find_first_not_of(kUnquoted) == std::string_view::npos;
}

// `from` becomes `to`, character by character.
std::string replaced(std::string_view text, char from, std::string_view to) {
  std::string out;
  for (const char c : text) {
    if (c == from) {
      out += to;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  return needs_no_quotes(word) ? std::string(word) : in_shell_quotes(word);
}

std::string in_shell_quotes(std::string_view word) {
  if (printable(word) == word) return "'" + replaced(word, '\'', "'\\''") + "'";
  return "$'" + printable(replaced(replaced(word, '\\', "\\\\"), '\'', "\\'")) + "'";
}

std::string distinct(std::string_view text) {
  if (plain_prefix(text) == text.size()) return std::string(text);
  const bool clear = text.find('\\') == std::string_view::npos && printable(text) == text;
  return clear ? std::string(text) : in_shell_quotes(text);
}

std::string shell_line(std::string_view words) {
  std::string line;
  for (size_t end; (end = words.find('\0')) != std::string_view::npos; words.remove_prefix(end + 1))
    line += (line.empty() ? "" : " ") + shell_quoted(words.substr(0, end));
  if (!words.empty()) (line += line.empty() ? "" : " ") += words;
  return line;
}

ShellWords shell_words(std::string_view line) {
  ShellWords found;
  std::vector<std::string> &words = found.words;
  bool in_word = false;
  char quote = '\0';
  for (size_t i = 0; i < line.size(); i++) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size() &&
                         (quote == '\0' || std::string_view("\"\\$`").find(line[i + 1]) != std::string_view::npos);
    if (quote == '\0' && std::string_view(" \t\n").find(c) != std::string_view::npos) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (escapes) {
      words.back() += line[++i];
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      if (quote == '\0' && found.shells == '\0' && std::string_view("|&;<>$`").find(c) != std::string_view::npos)
        found.shells = c;
      words.back() += c;
    }
  }
  found.closed = quote == '\0';
  return found;
}

}  // namespace strata
