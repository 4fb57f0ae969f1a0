// The only main: of all tools together and of each alone.
#include "run/dispatch.h"

int main(int argc, char **argv) { return strata::dispatch(strata::kTools, argc, argv); }
