// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Paths that BPF programs collected name by name.
#pragma once

#include <string>

#include "lib/fs/path_names.h"

namespace strata {

std::string path_of(
    const path_names &path);  // "/var/log/syslog"; ".../log/syslog" if directories are missing; raw bytes

}  // namespace strata
