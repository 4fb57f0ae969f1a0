// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The program's own code and constants in memory. The kernel maps 64 KiB around each place that is used, so that by the
// end of a start nearly all of them count, of which a run uses little.
#pragma once

namespace strata {

// They count no more, and come back from the page cache where they are used. A debugger's breakpoints there are gone.
void drop_own_pages();

}  // namespace strata
