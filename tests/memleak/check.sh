# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For check() of these tests: of rows of FILE for which a condition of jq holds, blocks and their bytes.
leaked() { # FILE [CONDITION]
	lines '.type == "row"' "$1" "map(select(${2-true})) | [(map(.count) | add // 0), (map(.size_bytes) | add // 0)]"
}

# exactly FILE FUNCTION COUNT BYTES: by stacks with all 13 frames of down() below it, whole but with a C library (musl) that has
# no unwind information, where they end in it.
exactly() {
	same "$2() in $1" "[$3,$(($3 * $4))]" "$(leaked "$1" ".stack[0] == \"$2\"")"
	same "stacks of $2() in $1 that are cut short" 0 "$(lines ".type == \"row\" and .stack[0] == \"$2\"" "$1" 'map(.stack |
		select((map(select(. == "down")) | length) % 13 != 0 or (.[-1] | test("^(_start|clone3?)$|without unwind information") | not))) | length')"
}

all_exactly() { # FILE
	exactly "$1" with_malloc 97 1009
	exactly "$1" with_calloc 89 217
	exactly "$1" with_realloc 83 2003
	exactly "$1" with_reallocarray 79 143
	exactly "$1" with_memalign 73 521
	exactly "$1" with_posix_memalign 71 307
	exactly "$1" failing 67 401
}
