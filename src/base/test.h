// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Catch2, whichever of its two generations the distribution has.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
