#ifndef TESTS_UNIT_COMMA_LOCALE_H
#define TESTS_UNIT_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A locale with a decimal comma, compiled on the spot because the machine may
 * have none installed. comma_locale_enter() returns false where there is no
 * localedef; comma_locale_leave() goes back to "C" in any case.
 */
static char comma_locale_dir[64];

static inline bool comma_locale_enter(void)
{
	char command[512], point[16];
	const char *entered;

	strcpy(comma_locale_dir, "/tmp/assay-locale.XXXXXX");
	if (!mkdtemp(comma_locale_dir))
		return false;
	snprintf(command, sizeof(command),
		 "cd %s && printf '%%s\\n' LC_NUMERIC 'decimal_point \",\"' "
		 "'thousands_sep \".\"' 'grouping 3;3' 'END LC_NUMERIC' >src; "
		 "localedef -c -i src ./xx_YY >/dev/null 2>&1; "
		 "test -f xx_YY/LC_NUMERIC",
		 comma_locale_dir);
	if (system(command) != 0)
		return false;
	setenv("LOCPATH", comma_locale_dir, 1);
	entered = setlocale(LC_NUMERIC, "xx_YY");
	unsetenv("LOCPATH"); /* glibc's newlocale() leaks when it is set */
	if (!entered)
		return false;
	snprintf(point, sizeof(point), "%.1f", 1.5);
	return !strcmp(point, "1,5");
}

static inline void comma_locale_leave(void)
{
	char command[128];

	setlocale(LC_ALL, "C");
	snprintf(command, sizeof(command), "rm -rf %s", comma_locale_dir);
	if (comma_locale_dir[0] && system(command) != 0)
		comma_locale_dir[0] = '\0';
}

#endif
