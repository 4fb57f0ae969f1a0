// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An enumerator that one kernel lacks; one whose enum both lack. */
#include "case.h"

enum level {
	LOW,
	HIGH,
	HIGHEST,
};

enum depth { SHALLOW };

SEC("raw_tp/opened") int enumerator(void *ctx)
{
	result += bpf_core_enum_value(enum level, HIGH);

	result += bpf_core_enum_value(enum level, HIGHEST); /* expect: kernel old: enum level has no enumerator HIGHEST */

	result += bpf_core_enum_value(enum depth, SHALLOW); /* expect: kernels old new: there is no enum depth */
	return 0;
}
