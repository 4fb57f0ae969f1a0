// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/probe_name.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "base/pattern.h"
#include "base/text.h"

namespace strata {
namespace {

using Kind = ProbeName::Kind;

struct Prefix {
  std::string_view word;
  Kind kind;
};

// Functions of the kernel are attached to in the best way that the host has, however they are called.
constexpr Prefix kPrefixes[] = {
    {"t", Kind::kTracepoint},         {"tracepoint", Kind::kTracepoint},
    {"rt", Kind::kTracepoint},        {"rawtracepoint", Kind::kTracepoint},
    {"k", Kind::kKernelFunction},     {"kprobe", Kind::kKernelFunction},
    {"f", Kind::kKernelFunction},     {"fentry", Kind::kKernelFunction},
    {"kfunc", Kind::kKernelFunction}, {"u", Kind::kStaticProbeOrUserFunction},
    {"uprobe", Kind::kUserFunction},  {"usdt", Kind::kStaticProbe},
    {"U", Kind::kStaticProbe},
};

constexpr std::string_view kReturns[] = {"r", "kr", "kretprobe", "fr", "fexit", "kretfunc", "ur", "uretprobe"};

[[noreturn]] void refuse(std::string_view text, const std::string &why) {
  throw usage_error("no probe: '" + printable(text) + "': " + why);
}

struct Parts {
  std::string_view first;
  std::optional<std::string_view> rest;
};

Parts split_at_colon(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {.first = text, .rest = {}};
  return {.first = text.substr(0, colon), .rest = text.substr(colon + 1)};
}

// What names of functions and tracepoints are made of, those of C++ apart, and of patterns.
bool is_kernel_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.$*?[]-!").find(c) != std::string_view::npos;
  });
}

ProbeName checked(std::string_view text, Kind kind, std::string_view place, std::string_view name) {
  const bool in_kernel = kind == Kind::kTracepoint || kind == Kind::kKernelFunction;
  if (name.empty()) refuse(text, "the name is missing");
  if (!in_kernel && place.empty()) refuse(text, "the file is missing: u:FILE:FUNCTION");
  if (name.find('+') != std::string_view::npos) refuse(text, "counted is where functions begin, without an offset");
  if (in_kernel && !is_kernel_name(name)) refuse(text, "'" + printable(name) + "' cannot be a name in the kernel");
  return {.kind = kind, .place = std::string(place), .name = std::string(name)};
}

// "CATEGORY:NAME", "MODULE:FUNCTION" or a name alone.
ProbeName with_place(std::string_view text, Kind kind, std::string_view rest) {
  const Parts parts = split_at_colon(rest);
  return parts.rest ? checked(text, kind, parts.first, *parts.rest) : checked(text, kind, "", parts.first);
}

// bcc's: p::FUNCTION is the kernel's.
ProbeName of_bcc(std::string_view text, std::string_view rest) {
  const Parts parts = split_at_colon(rest);
  if (!parts.rest) refuse(text, "bcc's notation is p::FUNCTION or p:LIBRARY:FUNCTION");
  return checked(text, parts.first.empty() ? Kind::kKernelFunction : Kind::kUserFunction, parts.first, *parts.rest);
}

}  // namespace

ProbeName parse_probe(std::string_view text) {
  const Parts parts = split_at_colon(text);
  if (!parts.rest) return checked(text, Kind::kKernelFunction, "", text);
  if (std::find(std::begin(kReturns), std::end(kReturns), parts.first) != std::end(kReturns))
    refuse(text, "calls are counted where functions begin, not where they return");
  if (parts.first == "p") return of_bcc(text, *parts.rest);
  for (const Prefix &prefix : kPrefixes)
    if (prefix.word == parts.first) return with_place(text, prefix.kind, *parts.rest);
  if (parts.first.find('/') != std::string_view::npos)
    return checked(text, Kind::kUserFunction, parts.first, *parts.rest);
  const size_t colon = parts.rest->find(':');
  if (colon != std::string_view::npos && parts.rest->substr(colon, 2) != "::")
    refuse(text, "there is no kind of probe '" + printable(parts.first) + "', but t, k and u");
  if (parts.first.empty()) return checked(text, Kind::kKernelFunction, "", *parts.rest);
  return checked(text, Kind::kTracepointOrUserFunction, parts.first, *parts.rest);
}

bool is_pattern(std::string_view name) { return name.find_first_of("*?[") != std::string_view::npos; }

bool is_called(const std::string &name, const std::string &pattern) {
  return is_pattern(pattern) ? pattern_matches(pattern, name) : name == pattern;
}

std::string probe_title(std::string_view place, std::string_view name) {
  const std::string_view file = place.substr(place.rfind('/') + 1);
  return file.empty() ? std::string(name) : std::string(file) + ":" + std::string(name);
}

}  // namespace strata
