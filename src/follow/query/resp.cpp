// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/resp.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/text.h"

namespace strata {
namespace {

// Those whose second word is a command of its own.
constexpr std::string_view kContainers[] = {"ACL",      "CLIENT",   "CLUSTER", "COMMAND", "CONFIG", "DEBUG",
                                            "FUNCTION", "LATENCY",  "MEMORY",  "MODULE",  "OBJECT", "PUBSUB",
                                            "SCRIPT",   "SENTINEL", "SLOWLOG", "XGROUP",  "XINFO"};
constexpr std::string_view kSecrets[] = {"AUTH", "HELLO", "ACL", "CONFIG", "MIGRATE"};  // whose words may be a password

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::string in_capitals(std::string_view word) {
  std::string capitals(word);
  for (char &c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return capitals;
}

bool is_command(std::string_view word) {
  return !word.empty() && word.size() <= 32 && std::ranges::all_of(word, [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

// Takes "*3\r\n": false if it is not there, or not all of it.
bool take_number(std::string_view &bytes, char mark, uint64_t &number) {
  const size_t end = bytes.find("\r\n");
  if (!bytes.starts_with(mark) || end == bytes.npos || end < 2 || end > 11) return false;
  number = 0;
  for (const char c : bytes.substr(1, end - 1)) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint64_t>(c - '0');
  }
  bytes.remove_prefix(end + 2);
  return true;
}

// Takes a text, or what is there of it.
bool take_word(std::string_view &bytes, std::string_view &word, bool &is_whole) {
  uint64_t length = 0;
  if (!take_number(bytes, '$', length)) return false;
  is_whole = bytes.size() >= length + 2;
  word = bytes.substr(0, length);
  bytes.remove_prefix(std::min<uint64_t>(bytes.size(), length + 2));
  return true;
}

struct Command {
  std::string name;
  std::string words;  // all of them
  bool is_whole = false;
};

std::optional<Command> take_command(std::string_view &bytes) {
  uint64_t n = 0;
  std::string_view word;
  Command command;
  if (!take_number(bytes, '*', n) || n == 0 || !take_word(bytes, word, command.is_whole) || !is_command(word))
    return std::nullopt;
  if (!command.is_whole) return std::nullopt;
  command.words = command.name = in_capitals(word);
  const bool is_container = is_one_of(command.name, kContainers), is_secret = is_one_of(command.name, kSecrets);
  for (uint64_t i = 1; i < n && command.is_whole; i++) {
    if (!take_word(bytes, word, command.is_whole)) {
      command.is_whole = false;
      break;
    }
    if (i == 1 && is_container && command.is_whole && is_command(word)) command.name += " " + in_capitals(word);
    if (!is_secret) (command.words += ' ') += word;
  }
  if (is_secret) command.words = command.name;
  return command;
}

}  // namespace

std::optional<std::string> resp_label(const RequestBytes &bytes, Literals literals) {
  std::string_view rest = bytes.first;
  const std::optional<Command> first = take_command(rest);
  if (!first) return std::nullopt;
  uint64_t n = 1, whole = first->is_whole ? 1 : 0;
  for (std::optional<Command> command = first; command && command->is_whole && !rest.empty();) {
    command = take_command(rest);
    n += command ? 1 : 0;
    whole += command && command->is_whole ? 1 : 0;
  }
  if (bytes.read > bytes.first.size() && whole != 0)
    return "more than " + std::to_string(whole) + (whole == 1 ? " command" : " commands");
  if (n > 1) return std::to_string(n) + " commands";
  return literals == Literals::kShown ? first->words : first->name;
}

}  // namespace strata
