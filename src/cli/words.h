// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The words of a command line, taken apart by the table of options, before it is checked what they mean.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option.h"
#include "cli/peers.h"

namespace strata {

struct Raw {
  std::map<std::string_view, std::vector<std::string>> options;  // all values that were given, in order
  std::vector<std::string> rest;                                 // operands, and what looks like an unknown option
  std::vector<std::string> parameters;                           // of the program that the tool runs
  std::vector<std::string> ours;  // the options by their names, as "--interval=1", whatever was typed
  bool translated = false;        // that says it in other words than those typed
  std::map<std::string, std::string, std::less<>> hints;  // of options that were typed as a letter: whose else it is
};

// As getopt_long(3), but without abbreviations, and what is unknown stays where it was among the operands. Throws
// Error, with other suites' spellings too.
Raw read_words(std::span<const Option> options, std::span<const Peer> peers, std::span<const std::string> words);

// By its name, or by its letter.
std::span<const Option>::iterator find_option(std::span<const Option> options, std::string_view spelling, bool letter);
std::string as_word(const Option &option, std::string_view value);  // "--interval=1"

}  // namespace strata
