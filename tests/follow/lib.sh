# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a run() of follow's tests may use besides tests/lib/live/lib.sh.

# strata follow write in JSON: follow N [OPTION...] -- COMMAND... takes each N-th write.
follow() {
	every=$1
	shift
	"$STRATA" follow write --every "$every" --json $SCOPE "$@"
}

# The same of sends: follow_send N [OPTION...] -- COMMAND...
follow_send() {
	every=$1
	shift
	"$STRATA" follow send --every "$every" --json $SCOPE "$@"
}
