// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/settings.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace strata::expr {
namespace {

struct Reader {
  const Source *source = nullptr;  // none: of the environment
  const Setting &setting;

  [[nodiscard]] Error error(const std::string &text) const {
    return source != nullptr ? source->error(setting.at, text) : usage_error(text);
  }
  [[nodiscard]] uint64_t number(uint64_t least, uint64_t most) const {
    uint64_t value = 0;
    if (!parse_number(setting.text, value) || value < least || value > most)
      throw error(setting.name + " is a number from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
  }
  // Which of the words it is.
  [[nodiscard]] size_t word(std::initializer_list<std::string_view> words) const {
    const auto *at = std::ranges::find(words, setting.text);
    if (at == words.end()) throw error(setting.name + " is one of " + comma_list(words));
    return static_cast<size_t>(at - words.begin());
  }
};

struct Name {
  std::string_view name;
  void (*read)(const Reader &reader, Settings &settings);
};

// That the kernel takes for its own (license_is_gpl_compatible()).
constexpr std::string_view kLicenses[] = {"GPL",          "GPL v2",       "GPL and additional rights",
                                          "Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL"};
constexpr size_t kMostOfMark = 64;  // characters
constexpr auto kAccepted = [](const Reader & /*reader*/, Settings & /*settings*/) {};
constexpr Name kNames[] = {
    {"max_strlen",
     [](const Reader &reader, Settings &settings) {
       settings.string_most = static_cast<uint32_t>(reader.number(1, kMostString));
     }},
    {"str_trunc_trailer",
     [](const Reader &reader, Settings &settings) { settings.cut = reader.setting.text.substr(0, kMostOfMark); }},
    {"max_cat_bytes",
     [](const Reader &reader, Settings &settings) { settings.cat_bytes = reader.number(1, settings.cat_bytes); }},
    {"max_map_keys",
     [](const Reader &reader, Settings &settings) {
       settings.map_keys = static_cast<uint32_t>(reader.number(1, kMostMapKeys));
     }},
    {"max_probes", [](const Reader &reader, Settings &settings) { settings.places = reader.number(1, 100'000); }},
    {"print_maps_on_exit",
     [](const Reader &reader, Settings &settings) {
       settings.shows_maps = reader.word({"false", "0", "true", "1"}) > 1;
     }},
    {"missing_probes",
     [](const Reader &reader, Settings &settings) {
       constexpr Settings::Missing kMissing[] = {Settings::Missing::kError, Settings::Missing::kWarn,
                                                 Settings::Missing::kIgnore};
       settings.missing = kMissing[reader.word({"error", "warn", "ignore"})];
     }},
    {"stack_mode",
     [](const Reader &reader, Settings &settings) {
       settings.stacks = static_cast<StackForm>(reader.word({"bpftrace", "perf", "raw"}));
     }},
    // --buffer is the size of the ring, and what is too long for the stack finds its place without being told.
    {"perf_rb_pages", kAccepted},
    {"on_stack_limit", kAccepted},
    {"cache_user_symbols", kAccepted},
    {"lazy_symbolication", kAccepted},
    {"show_debug_info", kAccepted},
    {"cpp_demangle", kAccepted},
    {"license",
     [](const Reader &reader, Settings & /*settings*/) {
       if (std::ranges::find(kLicenses, reader.setting.text) == std::end(kLicenses))
         throw reader.error("the kernel permits what programs do only to those under the GPL, not under '" +
                            printable(reader.setting.text) + "' (license is one of " + comma_list(kLicenses) + ")");
     }},
    {"log_size", kAccepted},
    {"max_bpf_progs", kAccepted},
    {"max_ast_nodes", kAccepted},
    {"max_type_res_iterations", kAccepted},
    {"unstable_addr", kAccepted},
    {"unstable_import", kAccepted},
    {"unstable_macro", kAccepted},
    {"unstable_map_decl", kAccepted},
    {"unstable_tseries", kAccepted},
};

// BPFTRACE_STACK_MODE, STACK_MODE and stack_mode are the same.
std::string plain(std::string_view name) {
  constexpr std::string_view kPrefix = "bpftrace_";
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(tolower(c)); });
  return lower.starts_with(kPrefix) ? lower.substr(kPrefix.size()) : lower;
}

std::string unquoted(const std::string &text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Which sets it for all programs: BPFTRACE_STACK_MODE.
std::string variable_of(std::string_view setting) {
  std::string upper = "BPFTRACE_";
  for (const char c : setting) upper += static_cast<char>(toupper(static_cast<unsigned char>(c)));
  return upper;
}

}  // namespace

Settings settings_of(const Source &source, const Program &program, const Environment &environment) {
  Settings settings;
  for (const Setting &one : program.settings) {
    const std::string name = plain(one.name);
    const auto *at = std::ranges::find(kNames, name, &Name::name);
    if (at == std::end(kNames)) {
      std::vector<std::string_view> names;
      for (const Name &known : kNames) names.push_back(known.name);
      throw source.error(one.at, "no setting is called '" + printable(one.name) + "'" + meant(name, names));
    }
    Setting read = one;
    read.text = unquoted(one.text);
    at->read({.source = &source, .setting = read}, settings);
  }
  for (const Name &known : kNames) {
    const std::string name = variable_of(known.name);
    if (const char *text = environment(name.c_str()); text != nullptr)
      known.read({.setting = {.name = name, .text = text, .at = {}}}, settings);
  }
  return settings;
}

}  // namespace strata::expr
