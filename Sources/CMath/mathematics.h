// The functions of C's mathematics that the pure targets use. glibc has them, and so has wasi-libc, without an
// operating system: the prototypes are the C standard's.
double pow(double base, double exponent);
double log2(double number);
double exp2(double exponent);
