// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause

// For so long, as "3s": sixteen goroutines hash, encode, sort, ask for the time, and leave garbage.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"os"
	"sort"
	"sync"
	"time"
)

// With parts in C (in_c.go) it calls those.
var callC = func() {}

//go:noinline
func hash() {
	sha256.Sum256(make([]byte, 100000))
}

func encode() {
	for i := 0; i < 200; i++ {
		var back map[string]int
		text, _ := json.Marshal(map[string]int{"one": i, "two": 2 * i})
		json.Unmarshal(text, &back)
	}
}

func order() {
	numbers := make([]int, 5000)
	for i := range numbers {
		numbers[i] = (i * 7919) % len(numbers)
	}
	sort.Slice(numbers, func(a, b int) bool { return numbers[a] < numbers[b] })
}

//go:noinline
func askTime() {
	for i := 0; i < 10000; i++ {
		time.Now()
	}
}

func main() {
	period, err := time.ParseDuration(os.Args[1])
	if err != nil {
		panic(err)
	}
	var all sync.WaitGroup
	for i := 0; i < 16; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for end := time.Now().Add(period); time.Now().Before(end); {
				hash()
				encode()
				order()
				askTime()
				callC()
			}
		}()
	}
	all.Wait()
}
