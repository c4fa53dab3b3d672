#!/bin/sh
# Hosts over SSH that are not what they should be: real servers on loopback.
. "$(dirname "$0")/test-lib.sh"

# once there is something to say, a login runs no shell
cat >says.sh <<'END'
#!/bin/sh
cat "${0%/*}/said" 2>/dev/null || exec sh -c "$SSH_ORIGINAL_COMMAND"
END
chmod +x says.sh
mkdir alpha
echo "ForceCommand $TEST_DIR/says.sh" >alpha/extra

cat >away.yaml <<'END'
assay: 1
experiment: away
hosts: {far: {address: 127.0.0.1, port: PORT, key: client_key, known_hosts: ./known_hosts}}
benchmarks: {b: {run: echo 1, responses: {v: {regex: ".+"}}}}
END

# told LINE: the run ends at once, and says that of the host
told() {
	expect_exit 3 assay run away.yaml >out 2>err &&
	expect_line "it does not run shell scripts from standard input (is the login shell a POSIX shell?); it printed$1\$" err
}

if ! { command -v sshd || [ -x /usr/sbin/sshd ]; } >/dev/null 2>&1; then
	test_skip 'a host without a shell' 'no sshd'
	test_done
fi
test_cleanup "sh '$TEST_TOP/tests/lab/sshd.sh' stop '$TEST_DIR'"
sh "$TEST_TOP/tests/lab/sshd.sh" start "$TEST_DIR" alpha >lab.log 2>&1 || cat lab.log
sed -i "s/PORT/$(cat alpha/port)/" away.yaml

test_expect 'an account without a shell: what it said' '
	printf "\n\tThis account is currently not available.\r\nAsk us.\n" >said &&
	told ": This account is currently not available\."
'

test_expect 'what it said is cut, and does no harm' '
	{ printf "\033[31mred\tå\377"; head -c 500 /dev/zero | tr "\0" x; echo; } >said &&
	told ": ␛\[31mred å�x\{109\}\.\.\."
'

test_expect 'an account that says nothing' '
	: >said && told " nothing"
'

test_done
