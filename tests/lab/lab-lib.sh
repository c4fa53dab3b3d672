# Real SSH servers for a story: source after test-lib.sh.
# lab_start NAME... makes them (in $LAB) and stops them at the end;
# lab_experiment FILE REPLICATES SECONDS writes an experiment over alpha and
# beta whose every measured command leaves a line in $TEST_DIR/measured.

LAB=$TEST_DIR/lab
# on a disk even where /tmp is none
LAB_WORK=/var/tmp/assay-lab-$$

lab_start() {
	if ! command -v sshd >/dev/null 2>&1 && [ ! -x /usr/sbin/sshd ]; then
		test_skip 'stories over SSH' 'no sshd'
		test_done
	fi
	"$TEST_TOP/tests/lab/sshd.sh" start "$LAB" "$@" || exit 1
	test_cleanup "'$TEST_TOP/tests/lab/sshd.sh' stop '$LAB'"
}

lab_experiment() {
	cat >"$1" <<-YAML
	assay: 1
	experiment: lab
	hosts:
	  alpha:
	    ssh: assay-alpha
	    config: lab/ssh_config
	    shares: machine
	    env: {work: $LAB_WORK-alpha, log: $TEST_DIR/measured, pause: "$3"}
	  beta:
	    ssh: assay-beta
	    config: lab/ssh_config
	    shares: machine
	    env: {work: $LAB_WORK-beta, log: $TEST_DIR/measured, pause: "$3"}
	roles: {sut: [alpha, beta]}
	factors:
	  place: {use: work-dir, levels: [disk, memory]}
	  size: [1, 2]
	design: {replicates: $2, order: {kind: randomized, seed: 7}}
	benchmarks:
	  touch:
	    run: |
	      # where lab_host_state looks
	      [ -d "\$XDG_CACHE_HOME/assay" ] || exit 9
	      echo "\$place \$size" >>"\$log"
	      sleep "\$pause"
	      stat -f -c %T "\$work/"
	      echo "rate: 1\$size.5"
	    timeout: 30s
	    responses:
	      rate: {regex: 'rate: (?<value>[0-9.]+)', uom: 1/s, better: higher}
	charts:
	  rates: {kind: bars, x: size, series: place, y: rate}
	YAML
}

# What the hosts look like from outside; two equal outputs = as they were
# found.
lab_host_state() {
	find /var/tmp /dev/shm -maxdepth 1 -name "*assay-lab-$$-*" 2>/dev/null
	find "$LAB"/*/home "$LAB"/*/cache -mindepth 1 2>/dev/null
	return 0
}
