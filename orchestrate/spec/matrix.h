#ifndef SPEC_MATRIX_H
#define SPEC_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

struct experiment;
struct matrix;

void matrix_release(struct matrix *m);
/* Gives it all factors and benchmarks. */
void matrix_take_all(struct matrix *m, const struct experiment *e);

/* Whether the matrix varies the factor, makes the benchmark. */
bool matrix_has_factor(const struct matrix *m, size_t factor);
bool matrix_has_benchmark(const struct matrix *m, size_t benchmark);

/* The greatest number of replicates that any matrix gives the benchmark; on
 * every host where hosts are blocks. */
size_t benchmark_replicates(const struct experiment *e, size_t benchmark);

#endif
