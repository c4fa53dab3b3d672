#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

/*
 * What the user types to run this program, for advice: the path they gave
 * when there was a '/' in it, else "assay".
 */
const char *program_name(void);

#endif
