# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of biolatency have in common.

# latency FILE OPTION... -- COMMAND: of this test's disk, into $OUT/FILE
latency() {
	file=$1
	shift
	"$STRATA" biolatency --json $SCOPE --disk "$DISK" "$@" >"$OUT/$file"
}
