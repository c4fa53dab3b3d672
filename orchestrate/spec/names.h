#ifndef SPEC_NAMES_H
#define SPEC_NAMES_H

/*
 * Both return NULL when the name is legal, else the reason as the end of a
 * sentence that begins with the name.
 *
 * A name (of an experiment, host, benchmark, response, chart, definition) is
 * also used in file names: [A-Za-z0-9][A-Za-z0-9._-]*.
 */
const char *name_fault(const char *name);

/*
 * A variable (a factor, a parameter, a host variable, what a level sets)
 * reaches scripts through the environment: [A-Za-z_][A-Za-z0-9_]*, and none
 * that the shell, the dynamic linker or assay itself uses.
 */
const char *variable_fault(const char *name);

#endif
