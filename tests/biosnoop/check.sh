# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a check() of biosnoop's tests may use besides tests/lib/live/check.sh.

# What FILE says was lost for this reason.
lost() { # REASON FILE
	lines '.type == "end"' "$2" | gojq --arg reason "$1" '.[0].lost[$reason] // 0'
}

# same_ios WHAT WANTED GOT FILE: a busy host may not run a program on block_rq_complete, as unforgiven() says; that is counted
# when the request is used again. A guest has no other work.
same_ios() {
	local missing
	missing=$(lost 'completion not seen' "$4")
	[ ! -e guest ] || missing=0
	[ "$3" -le "$2" ] && [ "$3" -ge $(($2 - missing)) ] || wrong "$1: wanted $2, got $3, and $missing are known to be missing"
}
