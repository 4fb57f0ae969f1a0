// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The only main: of all tools together and of each alone.
#include "run/dispatch.h"

int main(int argc, char **argv) { return strata::dispatch(strata::kTools, argc, argv); }
