#!/bin/sh
# Private OpenSSH servers on loopback for tests and the demo.
# usage: tests/lab/sshd.sh start DIR NAME...
#        tests/lab/sshd.sh stop DIR
#
# start makes DIR/client_key, DIR/known_hosts, DIR/ssh_config (with
# `Host assay-NAME` for each) and DIR/NAME/{host_key,sshd_config,sshd.pid,
# port,log}, starts the servers as the current user on free unprivileged
# ports, and returns when all accept a login. stop ends them. ~/.ssh, port 22
# and services stay untouched. A login to NAME has DIR/NAME/home for its $HOME
# and DIR/NAME/cache for its $XDG_CACHE_HOME. A file DIR/NAME/extra made before
# is added to the sshd_config of NAME (a second SetEnv there is not heard).
set -u

fail() {
	echo "sshd.sh: $*" >&2
	exit 1
}

find_program() {
	command -v "$1" 2>/dev/null && return
	for dir in /usr/sbin /usr/local/sbin /sbin; do
		[ -x "$dir/$1" ] && echo "$dir/$1" && return
	done
	return 1
}

# until_true SECONDS COMMAND...
until_true() {
	deadline=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$deadline" ] || return 1
		sleep 0.02
	done
}

random_port() {
	echo $((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000))
}

# Without PAM sshd lets nobody into an account locked with '!'.
use_pam() {
	[ "$(id -u)" -eq 0 ] || { echo no; return; }
	case $(getent shadow root 2>/dev/null | cut -d: -f2) in
	'!'*) echo yes ;;
	*) echo no ;;
	esac
}

# As on hosts of their own, each server has a home of its own: what runs leave
# in ~/.cache stays in DIR, and the login shell finds no start-up file of the
# user there (bash under sshd reads ~/.bashrc for every command, zsh ~/.zshenv;
# that may take longer than what a test or the demo measures). The working
# directory is still the one of passwd(5).
write_config() {
	cat >"$1/sshd_config" <<END
Port $2
ListenAddress 127.0.0.1
HostKey "$1/host_key"
PidFile "$1/sshd.pid"
AuthorizedKeysFile "$dir/client_key.pub"
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UsePAM $(use_pam)
StrictModes no
UseDNS no
PrintMotd no
PrintLastLog no
PermitUserEnvironment no
MaxStartups 100
SetEnv "HOME=$1/home" "XDG_CACHE_HOME=$1/cache"
END
	[ ! -f "$1/extra" ] || cat "$1/extra" >>"$1/sshd_config"
}

answered_or_failed() {
	[ -s "$1/sshd.pid" ] || grep -q 'Cannot bind' "$1/log" 2>/dev/null
}

running() {
	[ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null
}

# Another program may take the port at any time, so try and see.
start_one() {
	name=$1
	home=$dir/$name
	mkdir -p "$home/home" || fail "cannot make $home/home"
	if running "$home/sshd.pid"; then
		fail "$name already runs (pid $(cat "$home/sshd.pid")): stop it first"
	fi
	[ -s "$home/host_key" ] ||
		"$keygen" -q -t ed25519 -N '' -C "assay $name" \
			-f "$home/host_key" </dev/null ||
		fail "cannot make a host key"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		port=$(random_port)
		rm -f "$home/sshd.pid" "$home/log"
		write_config "$home" "$port"
		"$sshd" -f "$home/sshd_config" -E "$home/log" </dev/null ||
			fail "sshd refuses its configuration: $(cat "$home/log")"
		until_true 10 answered_or_failed "$home" ||
			fail "$name did not start: $(cat "$home/log")"
		[ -s "$home/sshd.pid" ] && break
	done
	[ -s "$home/sshd.pid" ] || fail "no free port: $(cat "$home/log")"
	echo "$port" >"$home/port"
	printf '[127.0.0.1]:%s %s\n' "$port" \
		"$(cut -d' ' -f1,2 "$home/host_key.pub")" >>"$dir/known_hosts"
	cat >>"$dir/ssh_config" <<END
Host assay-$name
	HostName 127.0.0.1
	Port $port
	User $(id -un)
	IdentityFile "$dir/client_key"
	IdentitiesOnly yes
	UserKnownHostsFile "$dir/known_hosts"
	GlobalKnownHostsFile /dev/null
	StrictHostKeyChecking yes
END
}

accepts() {
	ssh -F "$dir/ssh_config" -o BatchMode=yes -o ConnectTimeout=5 \
		"assay-$1" true </dev/null >"$dir/$1/login.log" 2>&1
}

start() {
	sshd=$(find_program sshd) || fail 'sshd is not installed (openssh-server)'
	keygen=$(find_program ssh-keygen) || fail 'ssh-keygen is not installed'
	umask 077
	mkdir -p "$1" || fail "cannot make $1"
	dir=$(cd "$1" && pwd) || exit 1
	shift
	[ $# -gt 0 ] || fail 'usage: sshd.sh start DIR NAME...'
	# sshd insists on it as root, whether it separates privileges or not
	if [ "$(id -u)" -eq 0 ] && [ ! -d /run/sshd ]; then
		mkdir -m 755 /run/sshd || fail 'cannot make /run/sshd'
	fi
	[ -s "$dir/client_key" ] ||
		"$keygen" -q -t ed25519 -N '' -C 'assay client' \
			-f "$dir/client_key" </dev/null ||
		fail 'cannot make a client key'
	: >"$dir/known_hosts"
	: >"$dir/ssh_config"
	started=$dir
	trap end_start EXIT
	for host in "$@"; do
		start_one "$host"
	done
	for host in "$@"; do
		until_true 15 accepts "$host" ||
			fail "$host accepts no login: $(cat "$dir/$host/login.log" "$dir/$host/log")"
		rm -f "$dir/$host/login.log"
	done
}

# or a zombie that its new parent has yet to collect
gone() {
	kill -0 "$1" 2>/dev/null || return 0
	case $(cat "/proc/$1/stat" 2>/dev/null) in
	*') Z '*) return 0 ;;
	esac
	return 1
}

stop() {
	for pidfile in "$1"/*/sshd.pid; do
		[ -s "$pidfile" ] || continue
		pid=$(cat "$pidfile")
		kill "$pid" 2>/dev/null
		until_true 10 gone "$pid" || kill -9 "$pid" 2>/dev/null
		rm -f "$pidfile"
	done
}

# Leaves nothing running when the start fails.
end_start() {
	status=$?
	[ $status -eq 0 ] || stop "$started"
	exit $status
}

case ${1:-} in
start)
	shift
	start "$@"
	;;
stop)
	[ $# -eq 2 ] || fail 'usage: sshd.sh stop DIR'
	stop "$2"
	;;
*)
	fail 'usage: sshd.sh start DIR NAME... | stop DIR'
	;;
esac
