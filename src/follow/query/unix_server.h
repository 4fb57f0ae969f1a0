// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// --path of a query: the unix socket whose connections are looked at, instead of those of TCP.
#pragma once

#include <string>

#include "follow/wire.h"

namespace strata {

class Object;

// The chain's set_path. Throws Error if it is no socket. Programs at functions are taken where the kernel has not the
// tracepoints (6.3).
void set_unix_server(Object &object, const std::string &path, follow_attach_mode &mode);

}  // namespace strata
