// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Threads that wake each other in a line, each in a function of its own and with its name:
 *	relay ROUNDS	"first" waits in awaits_second() for "second", who waits in awaits_third() for "third", who waits in
 *			awaits_fourth() for "fourth", who sleeps for 20 ms in sleeps_itself(); then "first" waits in awaits_again()
 *			for "second", who computes for 3 ms: woken before that wait, by "third", who has no part in it
 * By pipes, without frame pointers; each round begins for all at once. Sleeps 0.3 s at first, until its mappings are known.
 * At its end it prints how long each one's waits in the line were.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define THREADS 4
#define SLEEP_US 20000
#define COMPUTE_NS 3000000

static volatile uint64_t sink; /* what is added to it after a call keeps that from being a jump */
static int rounds, pipes[THREADS][2];
static int64_t waited_ns[THREADS];
static pthread_barrier_t begin;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int from(int thread)
{
	char c;

	return read(pipes[thread][0], &c, 1) + 1;
}

ALONE static int awaits_second(void)
{
	return from(1) + 1;
}

ALONE static int awaits_third(void)
{
	return from(2) + 1;
}

ALONE static int awaits_fourth(void)
{
	return from(3) + 1;
}

ALONE static int sleeps_itself(void)
{
	return usleep(SLEEP_US) + 1;
}

ALONE static int awaits_again(void)
{
	return from(0) + 1;
}

static int tell(int thread)
{
	return write(pipes[thread][1], "", 1) + 1;
}

ALONE static int second_wakes(void)
{
	return tell(1) + 1;
}

ALONE static int third_wakes(void)
{
	return tell(2) + 1;
}

ALONE static int fourth_wakes(void)
{
	return tell(3) + 1;
}

ALONE static int second_wakes_again(void)
{
	int64_t end = now_ns() + COMPUTE_NS;

	while (now_ns() < end)
		sink++;
	return tell(0) + 1;
}

static const struct {
	const char *name;
	int (*waits)(void), (*wakes)(void), (*then)(void);
} kinds[THREADS] = {
	{"first", awaits_second, NULL, awaits_again},
	{"second", awaits_third, second_wakes, second_wakes_again},
	{"third", awaits_fourth, third_wakes, NULL},
	{"fourth", sleeps_itself, fourth_wakes, NULL},
};

static void *runs(void *which)
{
	int thread = (intptr_t)which, i;
	int64_t since;

	prctl(PR_SET_NAME, kinds[thread].name);
	for (i = 0; i < rounds; i++) {
		pthread_barrier_wait(&begin);
		since = now_ns();
		sink += kinds[thread].waits();
		waited_ns[thread] += now_ns() - since;
		if (kinds[thread].wakes)
			sink += kinds[thread].wakes();
		if (kinds[thread].then)
			sink += kinds[thread].then();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	intptr_t i;

	rounds = argc == 2 ? atoi(argv[1]) : 0;
	if (rounds <= 0) {
		fprintf(stderr, "usage: relay ROUNDS\n");
		return 2;
	}
	usleep(300000);
	pthread_barrier_init(&begin, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		if (pipe(pipes[i]) || pthread_create(&threads[i], NULL, runs, (void *)i))
			return 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < THREADS; i++)
		printf("{\"type\":\"note\",\"thread\":\"%s\",\"waited_ns\":%lld}\n", kinds[i].name, (long long)waited_ns[i]);
	return 0;
}
