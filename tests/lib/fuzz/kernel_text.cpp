// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as what the kernel and libbpf say in text: /proc, /sys, the log of a refused program.
#include <bpf/libbpf.h>

#include <algorithm>
#include "bpf/log.h"
#include "fuzz.h"
#include "kern/proc.h"
#include "sym/mapped.h"

namespace strata {
namespace {

template <typename Parse>
auto parsed(const std::string &text, Parse parse) {
  Lines file = Lines::of(text);
  return parse(file);
}

void read_proc(const std::string &text) {
  const auto is_part = [&](const std::string &part) { return text.find(part) != std::string::npos; };
  require(is_part(std::string(text_symbol(text))) && text_symbol(text).find('\t') == std::string_view::npos);
  const uint32_t tgid = parsed(text, thread_group);
  require(tgid == 0 || is_part(std::to_string(tgid)));
  parsed(text, effective_capabilities);
  const std::string mount = parsed(text, [](Lines &mounts) { return mount_point_of("cgroup2", mounts); });
  require(is_part(mount) && (mount.empty() || is_part("cgroup2")));
  parsed(text, [](Lines &mountinfo) { return mounted_device(29, mountinfo); });
  const std::string disk = parsed(text, [](Lines &uevent) { return value_of_key("DEVNAME", uevent); });
  require(is_part(disk) && disk.find('\n') == std::string::npos);
  for (const MappedFile &file : parsed(text, [](Lines &maps) { return executable_mappings(maps); }))
    require(is_part(file.addresses) && is_part(file.path) && file.path.starts_with('/'));
  require(is_part(chosen_word(text)) && chosen_word(text).find(']') == std::string::npos);
}

// libbpf hands its talk over through a function of the kind of vprintf.
int say(libbpf_print_fn_t print, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = print(LIBBPF_WARN, format, arguments);
  va_end(arguments);
  return length;
}

libbpf_print_fn_t listener() {
  capture_libbpf_log();
  return libbpf_set_print(nullptr);
}

void read_log(const std::string &text) {
  static const libbpf_print_fn_t kListener = listener();
  const std::string_view said(text.c_str());
  require(say(kListener, "%s", text.c_str()) == static_cast<int>(said.size()));
  for (const size_t lines : {1, 3, 1000}) {
    const std::string end = libbpf_log_end(lines);
    require(static_cast<size_t>(std::count(end.begin(), end.end(), '\n')) <= lines);
    require(end.ends_with(said.substr(said.size() - std::min(said.size(), end.size()))));
  }
  const std::string program = refused_program(text);
  require(program.find('\'') == std::string::npos && text.find(program) != std::string::npos);
  processed_insns(text);
}

}  // namespace
}  // namespace strata

int fuzz_kernel_text(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  strata::read_proc(text);
  strata::read_log(text);
  return 0;
}
