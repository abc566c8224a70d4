#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"): calls `run` with one input
/// after another, as its arguments say.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const uint8_t *bytes, size_t size));

#endif
