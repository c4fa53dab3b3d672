#include "orchestrate/spec/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LONGEST 64

/* ASCII only, whatever the locale. */
static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *name_fault(const char *name)
{
	size_t n = strlen(name);

	if (n > LONGEST)
		return "is longer than 64 characters";
	if (!is_letter(name[0]) && !is_digit(name[0]))
		return "is no name: a name starts with a letter (a-z) or a "
		       "digit";
	for (size_t i = 0; i < n; i++)
		if (!is_letter(name[i]) && !is_digit(name[i]) &&
		    !strchr("._-", name[i]))
			return "is no name: use letters (a-z), digits, \".\", "
			       "\"_\" and \"-\"";
	return NULL;
}

/* A name that ends in '*' stands for all that start so. */
static const struct {
	const char *name;
	const char *why;
} refused[] = {
	{ "ASSAY*", "is kept for assay's own variables" },
	{ "BASH*", "changes how the shell works" },
	{ "CDPATH", "changes how the shell works" },
	{ "ENV", "is a file that shells run when they start" },
	{ "FUNCNEST", "changes how the shell works" },
	{ "GCONV_PATH", "changes which code every program loads" },
	{ "GLIBC_TUNABLES", "changes how every program runs" },
	{ "HOME", "is the user's home directory" },
	{ "IFS", "changes how the shell splits words" },
	{ "LD_*", "changes which code every program loads" },
	{ "LINENO", "is set by the shell" },
	{ "LOGNAME", "is the user's name" },
	{ "OLDPWD", "is set by the shell" },
	{ "OPTARG", "is set by the shell" },
	{ "OPTIND", "is set by the shell" },
	{ "PATH", "is where the shell finds programs" },
	{ "POSIXLY_CORRECT", "changes how programs work" },
	{ "PPID", "is set by the shell" },
	{ "PS1", "is the shell's prompt" },
	{ "PS2", "is the shell's prompt" },
	{ "PS4", "is the shell's prompt" },
	{ "PWD", "is set by the shell" },
	{ "SHELL", "is the user's shell" },
	{ "SHELLOPTS", "changes how the shell works" },
	{ "UID", "is set by the shell" },
	{ "EUID", "is set by the shell" },
	{ "USER", "is the user's name" },
	{ "_", "is set by the shell" },
	{ "assay_*", "is kept for assay's own variables" },
	{ "level", "is what treatment scripts find the present level in; "
		   "choose another name" },
	{ "repeat", "is the number of the execution within a run" },
	{ "replicate", "is the number of the replicate" },
	{ "saved", "is what revert finds the saved state in" },
};

static bool covers(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '*')
		return !strncmp(name, pattern, n - 1);
	return !strcmp(name, pattern);
}

const char *variable_fault(const char *name)
{
	size_t n = strlen(name);

	if (n > LONGEST)
		return "is longer than 64 characters";
	if (!is_letter(name[0]) && name[0] != '_')
		return "is no variable name: it must start with a letter "
		       "(a-z) or \"_\"";
	for (size_t i = 0; i < n; i++)
		if (!is_letter(name[i]) && !is_digit(name[i]) &&
		    name[i] != '_')
			return "is no variable name: use letters (a-z), "
			       "digits and \"_\", since it becomes a shell "
			       "variable";
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (covers(refused[i].name, name))
			return refused[i].why;
	return NULL;
}
