// The function of the page around the box that WebAssembly imports: it takes bytes, which are valid during the call.
// Kinds are those of Output in Sources/Browser.
#include <stdint.h>

#ifdef __wasm__
__attribute__((import_module("page"), import_name("take")))
#endif
void page_take(int32_t kind, const void *bytes, int32_t count);
