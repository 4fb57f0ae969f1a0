// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Static probes with known arguments: `usdt N [SECONDS [wait]]` passes each N times, with a third argument when there is
 * something to read, and sleeps; `usdt-counted` has a counter of those who look at each probe, and passes `looked_at` only
 * where it is not 0. In both, for i from 1 to N:
 *	strata:call	(int)-i, i * 2^40, "text", a char of 'a', and the constant 7, at two places
 *	strata:none	no argument
 */
#define _GNU_SOURCE
#ifdef COUNTED
#define _SDT_HAS_SEMAPHORES 1
#endif
#include <stdlib.h>
#include <sys/sdt.h>
#include <unistd.h>

#ifdef COUNTED
#define COUNTER(name) __extension__ unsigned short strata_##name##_semaphore __attribute__((section(".probes"), used))
COUNTER(call);
COUNTER(none);
COUNTER(looked_at);
#endif

static volatile long numbers[16];

__attribute__((noinline)) static void call(int i)
{
	const char *volatile text = "text";
	volatile char letter = text[0] ? 'a' : 0; /* a page that nobody has read is not there for programs */

	numbers[i % 16] = (long)i << 40;
	if (i % 2)
		STAP_PROBE5(strata, call, -i, numbers[i % 16], text, letter, 7);
	else
		STAP_PROBE5(strata, call, -i, (long)i << 40, text, letter, 7);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	char byte;

	if (argc > 3 && read(0, &byte, 1) < 0)
		return 1;
	for (int i = 1; i <= n; i++) {
		call(i);
		STAP_PROBE(strata, none);
#ifdef COUNTED
		if (strata_looked_at_semaphore)
			STAP_PROBE(strata, looked_at);
#endif
	}
	if (argc > 2)
		sleep(atoi(argv[2]));
	return 0;
}
