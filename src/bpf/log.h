// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// libbpf's talk, caught from the start and shown only when something failed and the user asked with -v.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

void capture_libbpf_log();                      // from now on nothing of libbpf reaches stderr; idempotent
void show_libbpf_log(bool verbose);             // -v: print_libbpf_log() prints
void print_libbpf_log();                        // the useful end of it, to stderr
void print_verifier_log(std::string_view log);  // likewise, of a program whose log libbpf does not have
std::string libbpf_log_end(size_t lines);

std::string refused_program(std::string_view libbpf_log);  // the last one; "" if it names none
std::string missing_field(std::string_view libbpf_log);    // "task_struct.se.cfs_rq"; "" if none is missing
std::string without_field(std::string_view field);         // the sentence that says so
std::optional<uint64_t> processed_insns(std::string_view verifier_log);  // what verifying a program cost

}  // namespace strata
