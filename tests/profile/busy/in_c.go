// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause

// Go that calls C, which calls Go. CGO_ENABLED=0 leaves it out.
package main

/*
#include <stdlib.h>

extern int compareInGo(int, int);

static int compare(const void *a, const void *b)
{
	return compareInGo(*(const int *)a, *(const int *)b);
}

static void sort_in_c(int n)
{
	int *numbers = malloc(n * sizeof(*numbers)), i;

	for (i = 0; i < n; i++)
		numbers[i] = n - i;
	qsort(numbers, n, sizeof(*numbers), compare);
	free(numbers);
}
*/
import "C"

//export compareInGo
func compareInGo(a, b C.int) C.int {
	return a - b
}

func init() {
	callC = func() { C.sort_in_c(1000) }
}
