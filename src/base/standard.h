// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What most files include of the standard library, compiled once for all of them (PRECOMPILED in the Makefile): a
// quarter of the time of each.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
