// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/settings.h"

#include "base/error.h"
#include "base/test.h"
#include "expr/parser.h"

namespace strata::expr {
namespace {

Settings settings(const std::string &text) {
  const Source source("program", "config = { " + text + " } begin { }");
  return settings_of(source, parse(source, {}));
}

std::string said(const std::string &text) {
  try {
    settings(text);
  } catch (const Error &error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

}  // namespace

TEST_CASE("settings have bpftrace's names, in small letters or as in the environment") {
  CHECK(settings("").map_keys == 4096);
  CHECK(settings("max_map_keys = 2").map_keys == 2);
  CHECK(settings("MAX_MAP_KEYS = 3;").map_keys == 3);
  CHECK(settings("BPFTRACE_MAX_MAP_KEYS = 4, max_strlen=100").map_keys == 4);
  CHECK(settings("max_map_keys = 4, max_strlen=100").string_most == 100);
  CHECK((settings("").cut == ".." && settings("str_trunc_trailer = \"...\"").cut == "..."));
  CHECK(settings("max_cat_bytes = 1").cat_bytes == 1);
  CHECK(settings("").shows_maps);
  CHECK_FALSE(settings("print_maps_on_exit = false").shows_maps);
  CHECK(settings("print_maps_on_exit = 1").shows_maps);
  CHECK(settings("missing_probes = ignore").missing == Settings::Missing::kIgnore);
  CHECK(settings("missing_probes = error").missing == Settings::Missing::kError);
  CHECK(settings("").stacks == StackForm::kFunctions);
  CHECK(settings("stack_mode = raw").stacks == StackForm::kRaw);
  CHECK_NOTHROW(settings("stack_mode = perf; perf_rb_pages = 64; license = \"GPL\"; unstable_map_decl = enable"));
}

TEST_CASE("the environment sets them for all programs, and goes before what a program says") {
  const Source source("program", "config = { max_map_keys = 7; stack_mode = perf } begin { }");
  const auto environment = [](const char *name) -> const char * {
    return name == std::string_view("BPFTRACE_STACK_MODE") ? "raw" : nullptr;
  };
  const Settings found = settings_of(source, parse(source, {}), environment);
  CHECK(found.stacks == StackForm::kRaw);
  CHECK(found.map_keys == 7);
  const auto wrong = [](const char *name) -> const char * {
    return name == std::string_view("BPFTRACE_MAX_MAP_KEYS") ? "many" : nullptr;
  };
  CHECK_THROWS_AS(settings_of(source, parse(source, {}), wrong), Error);
}

TEST_CASE("a word may have quotes, and a license is one that the kernel permits all to") {
  CHECK(settings("missing_probes = \"warn\"").missing == Settings::Missing::kWarn);
  CHECK_NOTHROW(settings("license = \"Dual MIT/GPL\""));
  CHECK(said("license = \"MIT\"").find("only to those under the GPL, not under 'MIT'") != std::string::npos);
}

TEST_CASE("a setting that is none, or has no such value, is refused at its place") {
  CHECK(said("max_map_kyes = 2") == "program:1:27: no setting is called 'max_map_kyes' (did you mean 'max_map_keys'?)");
  CHECK(said("max_map_keys = 0") == "program:1:27: max_map_keys is a number from 1 to 4194304");
  CHECK(said("max_map_keys = many").ends_with("max_map_keys is a number from 1 to 4194304"));
  CHECK(said("max_strlen = 65536").ends_with("max_strlen is a number from 1 to 16000"));
  CHECK(said("max_cat_bytes = 0").ends_with("max_cat_bytes is a number from 1 to 1048576"));
  CHECK(said("missing_probes = no").ends_with("missing_probes is one of error, warn, ignore"));
  CHECK(said("stack_mode = build_id").ends_with("stack_mode is one of bpftrace, perf, raw"));
  CHECK(said("print_maps_on_exit = maybe").ends_with("print_maps_on_exit is one of false, 0, true, 1"));
}

}  // namespace strata::expr
