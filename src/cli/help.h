// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a person reads about a tool before running it: help and manual page, both from its tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option.h"
#include "cli/page.h"
#include "model/field.h"

namespace strata {

using Entry = std::pair<std::string, std::string>;  // a term and what it means

struct Manual {
  Syntax syntax;
  std::string_view name;     // "follow"
  std::string_view summary;  // one line
  ManualPage page;
  std::vector<Field> columns;  // of FIELDS
  std::vector<Entry> formats;
};

std::string help_text(const Manual &manual);                      // one screen, at most 80 columns wide
std::string full_text(const Manual &manual);                      // with all that the manual page has
std::string common_options_text(std::span<const Entry> formats);  // what the help says in one paragraph
// Paragraphs on what formats have in common: streams and their ends, tables, names from elsewhere.
std::string formats_text();
std::string man_page(const Manual &manual, std::string_view version);  // roff, section 8

// Terms in a column, their meanings wrapped beside them.
std::string aligned_entries(std::span<const Entry> entries);

}  // namespace strata
