#ifndef SPEC_YAML_FAULT_H
#define SPEC_YAML_FAULT_H

struct problems;
struct yaml_parser_s;

/* What the parser stopped at, in words a user can act on; returns -1. */
int yaml_fault(const struct yaml_parser_s *parser, const char *file,
	       struct problems *p);

#endif
