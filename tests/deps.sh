#!/bin/sh
# Installs what is missing, and nothing when all is there.
# usage: tests/deps.sh build|check|analyze...
set -eu

build='gcc make pkg-config libyaml-dev libgit2-dev libcairo2-dev
libpango1.0-dev libssh2-1-dev libssl-dev libgsl-dev libsqlite3-dev libuv1-dev
libjq-dev libonig-dev libpcre2-dev libicu-dev libcmark-gfm-dev
libcmark-gfm-extensions-dev libsmartcols-dev libzstd-dev fonts-dejavu-core
git openssh-client openssh-server util-linux fio sysbench'
check='libcmocka-dev poppler-utils procps sqlite3 jq valgrind xz-utils
python3-jsonschema python3-yaml zsh fish'
analyze='clang clang-tidy cppcheck libclang-rt-14-dev pmccabe shellcheck mandoc'

wanted=
for set in "$@"; do
	case $set in
	build) wanted="$wanted $build" ;;
	check) wanted="$wanted $check" ;;
	analyze) wanted="$wanted $analyze" ;;
	*) echo "deps: no set named '$set'" >&2; exit 2 ;;
	esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "deps: not a Debian system; install the likes of:" $wanted >&2
	exit 0
fi
missing=
for package in $wanted; do
	dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null |
		grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "deps: as root, run: apt-get install -y$missing" >&2
		exit 3
	fi
	as_root=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
install() {
	$as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $missing
}
# Old package lists name files that are gone: refresh, then install.
$as_root apt-get update -qq
install >/dev/null
