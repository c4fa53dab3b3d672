#include "cmd/problems_print.h"

#include "cmd/print.h"
#include "orchestrate/spec/problem.h"

void problems_print(struct problems *p)
{
	size_t shown = p->n < PROBLEMS_MAX ? p->n : PROBLEMS_MAX;

	problems_sort(p);
	for (size_t i = 0; i < shown; i++) {
		const struct problem *q = &p->items[i];

		if (q->line)
			print_note("%s:%u:%u: %s", q->file, q->line, q->column,
				   q->text);
		else
			print_note("%s: %s", q->file, q->text);
	}
	if (p->n > shown)
		print_note("%zu problems; the first %zu are shown", p->n,
			   shown);
	else
		print_note("%zu problem%s", p->n, p->n == 1 ? "" : "s");
}
