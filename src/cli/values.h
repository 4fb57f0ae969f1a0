// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A parsed and checked command line. Every number was parsed once, here.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option.h"

namespace strata {

class Values {
 public:
  // On the command line, not by fallback. All accessors take names from the option table; others are a defect.
  [[nodiscard]] bool given(std::string_view name) const;
  [[nodiscard]] uint64_t number(std::string_view name) const;  // 0 if neither given nor with a fallback
  [[nodiscard]] uint64_t duration_ns(std::string_view name) const;
  [[nodiscard]] const std::string &text(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string> &texts(std::string_view name) const;
  [[nodiscard]] const std::vector<uint64_t> &numbers(std::string_view name) const;

  [[nodiscard]] const std::string &operand(size_t index) const;  // "" if it was not given
  [[nodiscard]] const std::vector<std::string> &operands() const { return operands_; }
  // Of a tool with kHasParameters: long options that are not its own, and the words behind -- that begin with a dash,
  // where the command is behind them.
  [[nodiscard]] const std::vector<std::string> &parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string> &command() const { return command_; }  // empty without -- COMMAND
  // Before the --: as typed, or in our own words where these are others, "--interval=1" for an operand 1.
  [[nodiscard]] const std::vector<std::string> &arguments() const { return arguments_; }
  // What to end a sentence with that refuses an option: whose its letter is in other suites (cli/peers.h).
  [[nodiscard]] std::string hint(std::string_view name) const;
  [[nodiscard]] bool translated() const { return translated_; }

 private:
  friend Values parse_arguments(const Syntax &syntax, std::span<const std::string> arguments);

  struct Entry {
    bool given = false;
    std::vector<std::string> texts;
    std::vector<uint64_t> numbers;
  };
  [[nodiscard]] const Entry &at(std::string_view name) const;

  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> operands_;
  std::vector<std::string> parameters_, command_;
  std::vector<std::string> arguments_;
  bool translated_ = false;
  std::map<std::string, std::string, std::less<>> hints_;
};

// Throws a usage Error that names option, value and what is permitted. After --help, --version and --man nothing else
// is checked.
Values parse_arguments(const Syntax &syntax, std::span<const std::string> arguments);

bool any_given(const Values &values, std::initializer_list<std::string_view> options);
// Those that were, as bits: 1 for the first, 2 for the second, and so on.
uint32_t bits_given(const Values &values, std::initializer_list<std::string_view> options);
// "failed|by=process|!json": whether one of the options was given, or its text (the default, too) is or lists that
// word, or it was not given.
bool any_holds(const Values &values, std::string_view conditions);

// Throws a usage Error if one of the options is given, which this use of the tool has no use for: "--sort is for the
// table of --by", `why` being all behind the option.
void reject_options(const Values &values, std::initializer_list<std::string_view> options, std::string_view why);

// The names in the text of an option "KEY,...", as bits: 1 for the first of `names`, 2 for the second, and so on; 0 if
// it was not given. Throws a usage Error that lists them.
uint32_t bits_named(const Values &values, std::string_view option, std::span<const std::string_view> names);

}  // namespace strata
