// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Debian 13's libelf.a (0.192) lacks an object of its own, lib/eu-search.o, so nothing links with it statically. These
// are its functions that libelf and libdw call, on the C library's trees and without the lock: one thread opens ELF
// files here. They are weak: to be removed when Debian's archive is whole (elfutils 0.193).
#include <search.h>

struct search_tree {  // of elfutils' lib/eu-search.h; a lock follows
  void *root;
};
using Compare = int (*)(const void *, const void *);

extern "C" {
[[gnu::weak]] void eu_search_tree_init(search_tree *tree) { tree->root = nullptr; }
[[gnu::weak]] void eu_search_tree_fini(search_tree *tree, void (*free_node)(void *)) {
  tdestroy(tree->root, free_node);
  tree->root = nullptr;
}
[[gnu::weak]] void *eu_tsearch(const void *key, search_tree *tree, Compare compare) {
  return tsearch(key, &tree->root, compare);
}
[[gnu::weak]] void *eu_tfind(const void *key, search_tree *tree, Compare compare) {
  return tfind(key, &tree->root, compare);
}
[[gnu::weak]] void *eu_tdelete(const void *key, search_tree *tree, Compare compare) {
  return tdelete(key, &tree->root, compare);
}
}
