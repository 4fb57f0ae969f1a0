// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The operations of which scripts/bench counts the instructions: a table that files of workloads add to.
#pragma once

#include <cstdint>
#include <string_view>

// Prints what failed with errno, and exits.
[[noreturn]] void die(const char *what);
// The same, if a system call did not return what it should.
void check(int64_t got, int64_t wanted, const char *what);
// A file without a name: ext4 starts to write a truncated one back when it is closed, and that would fall into the
// next figure.
int nameless_file(const char *path);

// Does its operation n times. Where says on which file or device, or is nullptr. The first call opens what is needed
// and is never measured.
using Operation = void (*)(uint64_t n, const char *where);

struct Workload {
  std::string_view name;
  const char *help;
  const char *where;  // default
  Operation run;
};

void open_close(uint64_t n, const char *where);
void stat_file(uint64_t n, const char *where);
void read_device(uint64_t n, const char *where);
void read_again(uint64_t n, const char *where);
void write_read(uint64_t n, const char *where);
void write_dirty(uint64_t n, const char *where);
void write_new(uint64_t n, const char *where);
void sync_nothing(uint64_t n, const char *where);
void write_null(uint64_t n, const char *where);
void copy_zeros(uint64_t n, const char *where);

void run_itself(uint64_t n, const char *where);
void ping_pong(uint64_t n, const char *where);
void take_turns(uint64_t n, const char *where);
void get_ppid(uint64_t n, const char *where);
void send_signal(uint64_t n, const char *where);
void allocate(uint64_t n, const char *where);
void touch_pages(uint64_t n, const char *where);
void spin(uint64_t n, const char *where);

void connect_refused(uint64_t n, const char *where);
void connect_close(uint64_t n, const char *where);
void send_receive(uint64_t n, const char *where);
void datagram(uint64_t n, const char *where);
void send_beside(uint64_t n, const char *where);
void request_response(uint64_t n, const char *where);
void ask_and_wait(uint64_t n, const char *where);
void send_again(uint64_t n, const char *where);
// Only where it was linked: a static program cannot resolve names.
[[gnu::weak]] void resolve_name(uint64_t n, const char *where);
