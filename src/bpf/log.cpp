// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/log.h"

#include <bpf/libbpf.h>

#include <charconv>
#include <cstdarg>
#include <cstdio>

#include "base/outlet.h"

namespace strata {

namespace {

constexpr size_t kKeep = 256 << 10;  // the verifier's account of one refused program fits

std::string log_text;
bool log_shown = false;

int keep(libbpf_print_level level, const char *format, va_list arguments) {
  if (level == LIBBPF_DEBUG) return 0;
  char line[16384];
  va_list copy;
  va_copy(copy, arguments);
  int length = vsnprintf(line, sizeof(line), format, copy);
  va_end(copy);
  if (length < 0) return 0;
  if (static_cast<size_t>(length) < sizeof(line)) {
    log_text.append(line, static_cast<size_t>(length));
  } else {  // a verifier log: its end is what matters
    std::string whole(static_cast<size_t>(length), '\0');
    vsnprintf(whole.data(), whole.size() + 1, format, arguments);
    log_text.append(whole);
  }
  if (log_text.size() > 2 * kKeep) log_text.erase(0, log_text.size() - kKeep);
  return length;
}

}  // namespace

void capture_libbpf_log() { libbpf_set_print(keep); }

void show_libbpf_log(bool verbose) { log_shown = verbose; }

std::string libbpf_log_end(size_t lines) {
  size_t at = log_text.size();
  if (at > 0) --at;  // the last new line ends a line, it does not begin one
  for (; at > 0; --at) {
    if (log_text[at - 1] == '\n' && --lines == 0) break;
  }
  return log_text.substr(at);
}

void print_libbpf_log() {
  if (log_shown && !log_text.empty()) say_text(libbpf_log_end(40));
}

void print_verifier_log(std::string_view log) {
  if (log_shown) say_text(log);
}

// "libbpf: prog 'NAME': BPF program load failed: Permission denied"
std::string refused_program(std::string_view libbpf_log) {
  const size_t end = libbpf_log.rfind("': BPF program load failed");
  if (end == std::string_view::npos) return "";
  const size_t start = libbpf_log.substr(0, end).rfind('\'');
  return start == std::string_view::npos ? "" : std::string(libbpf_log.substr(start + 1, end - start - 1));
}

// "failed to resolve CO-RE relocation <byte_off> [53] struct task_struct.sched_info.pcount (0:12:0 @ offset 88)"
std::string missing_field(std::string_view libbpf_log) {
  constexpr std::string_view kFailed = "failed to resolve CO-RE relocation <";
  constexpr std::string_view kStruct = "] struct ";
  const size_t at = libbpf_log.rfind(kFailed);
  if (at == std::string_view::npos) return "";
  const std::string_view line = libbpf_log.substr(at, libbpf_log.find('\n', at) - at);
  const size_t name = line.find(kStruct);
  if (name == std::string_view::npos) return "";
  const std::string_view field = line.substr(name + kStruct.size());
  return std::string(field.substr(0, field.find(' ')));
}

std::string without_field(std::string_view field) {
  constexpr struct {
    std::string_view part, option;
  } kOptional[] = {{".sched_info.", "CONFIG_SCHED_INFO (CONFIG_SCHEDSTATS=y or CONFIG_TASK_DELAY_ACCT=y brings it)"},
                   {"cfs_rq", "CONFIG_FAIR_GROUP_SCHED"},
                   {".ioac.", "CONFIG_TASK_IO_ACCOUNTING"}};
  const std::string what = "this kernel has no " + std::string(field);
  for (const auto &[part, option] : kOptional) {
    if (field.find(part) != std::string_view::npos) return what + "; use one built with " + std::string(option);
  }
  return what + "; it may lack an option, or be newer than this strata";
}

// "processed 123 insns (limit 1000000) ..."
std::optional<uint64_t> processed_insns(std::string_view verifier_log) {
  constexpr std::string_view kWord = "processed ";
  const size_t at = verifier_log.find(kWord);
  if (at == std::string_view::npos) return std::nullopt;
  const char *number = verifier_log.data() + at + kWord.size();
  uint64_t insns = 0;
  const auto [end, error] = std::from_chars(number, verifier_log.data() + verifier_log.size(), insns);
  return error == std::errc() ? std::optional(insns) : std::nullopt;
}

}  // namespace strata
