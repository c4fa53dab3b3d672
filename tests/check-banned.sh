#!/bin/sh
# Calls that have no place here, and libraries that print or exit.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
banned='strcpy|strcat|sprintf|vsprintf|gets|strtok|strncpy|atoi|atol|atof|system|popen|tmpnam|mktemp|alloca|gmtime|localtime|asctime|ctime|strerror_r|rand|srand'
hits=$(git ls-files -co --exclude-standard '*.c' '*.h' | grep -v '^tests/' |
	xargs grep -nE "(^|[^_[:alnum:]>.])($banned)\(" | grep -v '^[^:]*:[0-9]*: \*')
if [ -n "$hits" ]; then
	echo "$hits" | sed 's/^/banned: /'
	bad=1
fi
# base/mem.c and base/hash.c end the program when memory or SHA-256 is gone.
hits=$(git ls-files -co --exclude-standard 'base/*.c' 'stats/*.c' 'plot/**/*.c' \
		'orchestrate/**/*.c' | grep -vE '^base/(mem|hash)\.c$' |
	xargs grep -nE '(^|[^_[:alnum:]>.])(printf|puts|putchar|perror|exit|abort|fprintf|fputs)\(')
if [ -n "$hits" ]; then
	echo "$hits" | sed 's/^/banned (only cmd\/ prints and exits): /'
	bad=1
fi
hits=$(git ls-files -co --exclude-standard '*.c' '*.h' | grep -v '^base/mem.c$' |
	xargs grep -nE '(^|[^_[:alnum:]>.])(malloc|calloc|realloc|strdup|strndup|asprintf|vasprintf)\(' |
	grep -v '^tests/')
if [ -n "$hits" ]; then
	echo "$hits" | sed 's/^/banned (use base\/mem.h): /'
	bad=1
fi
[ $bad -eq 0 ] && echo "banned: none used"
exit $bad
