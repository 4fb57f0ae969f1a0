# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of memleak share: ways to have a C library that can be run here. A guest has no shared one.
variants() {
	for one in leaks-shared leaks-static leaks-musl leaks-musl-static; do
		! "$WORKLOADS/$one" often 1 2>/dev/null || echo $one
	done
}
