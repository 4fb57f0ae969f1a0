# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a run() of fsslower's tests may use besides tests/lib/live/lib.sh.

# strata fsslower in JSON, with whole paths
slower() {
	"$STRATA" fsslower --json --file path $SCOPE "$@"
}
