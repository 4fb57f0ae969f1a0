// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/shade.h"

#include <cctype>
#include <cstdlib>

#include "base/format.h"

namespace strata {
namespace {

constexpr char kAscii[] = " .:-=+*#%@";
static_assert(sizeof(kAscii) == Shades::kCount + 2);

// From violet to yellow as far as the cube of six by six by six goes, each brighter than the one before.
constexpr int k256[Shades::kCount] = {54, 24, 30, 36, 41, 113, 148, 154, 226};

// From a dot to a full block, in dark grey, grey and white.
constexpr std::string_view kGrey[Shades::kCount] = {"\x1b[90m\u00b7", "\x1b[90m\u2591", "\x1b[90m\u2592",
                                                    "\x1b[90m\u2593", "\x1b[90m\u2588", "\x1b[37m\u2593",
                                                    "\x1b[37m\u2588", "\x1b[97m\u2593", "\x1b[97m\u2588"};

std::string cell_text(size_t shade, Colours colours) {
  if (colours == Colours::kGrey) return std::string(kGrey[shade]);
  if (colours == Colours::k256) return formatted("\x1b[48;5;{}m ", k256[shade]);
  const Rgb &colour = kShadesOnDark[shade];
  return formatted("\x1b[48;2;{};{};{}m ", colour.red, colour.green, colour.blue);
}

bool is_utf8(std::string_view locale) {
  std::string lower;
  for (const char c : locale) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
}

}  // namespace

Colours colours_of(bool terminal, const char *term, const char *colorterm, const char *locale) {
  const std::string_view name = term ? term : "";
  const std::string_view depth = colorterm ? colorterm : "";
  if (!terminal || name.empty() || name == "dumb") return Colours::kAscii;
  if (depth == "truecolor" || depth == "24bit") return Colours::kTrue;
  if (name.find("256color") != std::string_view::npos) return Colours::k256;
  return locale && is_utf8(locale) ? Colours::kGrey : Colours::kAscii;
}

Colours colours_of(bool terminal) {
  const char *locale = nullptr;
  for (const char *name : {"LANG", "LC_CTYPE", "LC_ALL"}) {
    const char *value = getenv(name);
    if (value && *value) locale = value;
  }
  return colours_of(terminal, getenv("TERM"), getenv("COLORTERM"), locale);
}

std::string shades_text(std::string_view cells, Colours colours) {
  std::string text;
  char last = 0;
  for (const char cell : cells) {
    if (colours == Colours::kAscii) {
      text += kAscii[static_cast<unsigned char>(cell)];
    } else if (cell == 0) {
      text += last == 0 ? " " : "\x1b[0m ";
    } else {
      const std::string one = cell_text(static_cast<unsigned char>(cell) - 1U, colours);
      text += cell == last ? one.substr(one.find('m') + 1) : one;
    }
    last = cell;
  }
  return last != 0 && colours != Colours::kAscii ? text + "\x1b[0m" : text;
}

std::string shade_name(uint64_t least) {
  if (least >= 1'000'000) return formatted("{}M", least / 1'000'000);
  return least >= 1000 ? formatted("{}k", least / 1000) : formatted("{}", least);
}

}  // namespace strata
