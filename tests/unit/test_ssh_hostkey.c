#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_hostkey.h"

/* Made by ssh-keygen, as are the fingerprints and hashed names below. */
#define KEY_A "AAAAC3NzaC1lZDI1NTE5AAAAIA1drDnY6sPCRZk8aEnd6uMPKjH7WYxD/cyjgXtmycMa"
#define KEY_B "AAAAC3NzaC1lZDI1NTE5AAAAIPWnabXUJpc0MLXU+bDKf5Z9rBtV50oiRWbAylpGjAZj"
#define KEY_C                                                                \
	"AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBPFrmhSHYgYeXh" \
	"979456P1WZZfnZG+5j8nZXajAdLnWLfPqSQWJV2a58C4qM07l5EknQC+VJPff3ALoT" \
	"LcCh7XM="
#define PRINT_A "SHA256:9nP0uMX1GhN+gDvLaMjLJ3Ae/15TUZAXf+t6PiDF2nM"
#define PRINT_B "SHA256:FAlEPyBnfxgM1i6P6f+FB8YP/2pczZ2CtU8qry1x8p4"
#define LINE_A " ssh-ed25519 " KEY_A "\n"
#define LINE_B " ssh-ed25519 " KEY_B "\n"
#define LINE_C " ecdsa-sha2-nistp256 " KEY_C "\n"

struct bench {
	char dir[32];
	char *file;
	struct ssh_target t;
	struct error err;
};

static int set_up(void **state)
{
	struct bench *b = mem_zalloc(1, sizeof(*b));

	strcpy(b->dir, "/tmp/assay-hostkey.XXXXXX");
	if (!mkdtemp(b->dir))
		return -1;
	b->file = path_join(b->dir, "known_hosts");
	ssh_target_init(&b->t);
	b->t.name = mem_strdup("alpha");
	b->t.hostname = mem_strdup("alpha.example");
	strlist_push(&b->t.known_hosts, b->file);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	unlink(b->file);
	rmdir(b->dir);
	free(b->file);
	ssh_target_release(&b->t);
	free(b);
	return 0;
}

static void write_known_hosts(struct bench *b, const char *text)
{
	assert_int_equal(path_write(b->file, text, strlen(text), &b->err), 0);
}

/* Whether key A is accepted. */
static int check(struct bench *b)
{
	unsigned char key[256];
	int n = EVP_DecodeBlock(key, (const unsigned char *)KEY_A,
				(int)strlen(KEY_A));

	b->err = (struct error)ERROR_INIT;
	return hostkey_check(&b->t, key, (size_t)n, &b->err);
}

static int check_with(struct bench *b, const char *text)
{
	write_known_hosts(b, text);
	return check(b);
}

static void a_key_has_the_fingerprint_that_ssh_keygen_prints(void **state)
{
	unsigned char key[256];
	int n = EVP_DecodeBlock(key, (const unsigned char *)KEY_A,
				(int)strlen(KEY_A));
	struct buf text = BUF_INIT;

	(void)state;
	hostkey_fingerprint(&text, key, (size_t)n);
	assert_string_equal(text.data, PRINT_A);
	buf_release(&text);
}

static void a_known_key_is_accepted(void **state)
{
	struct bench *b = *state;

	assert_int_equal(check_with(b, "alpha.example" LINE_A), 0);
	assert_int_equal(check_with(b, "# comment\n\n \t alpha.example\tssh-"
				       "ed25519   " KEY_A " some comment\r\n"),
			 0);
	assert_int_equal(check_with(b, "x,alpha.example,y" LINE_A), 0);
	assert_int_equal(check_with(b, "ALPHA.Example" LINE_A), 0);
	/* no newline at the end of the file */
	assert_int_equal(check_with(b, "alpha.example ssh-ed25519 " KEY_A),
			 0);
	/* one of several keys of the host */
	assert_int_equal(check_with(b, "alpha.example" LINE_B
				       "alpha.example" LINE_A),
			 0);
}

static void a_host_name_in_capitals_is_looked_up_in_small_letters(void **state)
{
	struct bench *b = *state;

	strcpy(b->t.hostname, "ALPHA.example");
	assert_int_equal(check_with(b, "alpha.example" LINE_A), 0);
	assert_int_equal(
		check_with(b, "|1|/z1kpVXeqKAtaGuzZXRWmt3BNNI=|"
			      "lG7Hta1zokrfCy/ocVpnPth/lPk=" LINE_A),
		0);
}

static void a_name_with_a_port_has_brackets(void **state)
{
	struct bench *b = *state;

	b->t.port = 2201;
	assert_int_equal(check_with(b, "[alpha.example]:2201" LINE_A), 0);
	assert_int_equal(check_with(b, "[alpha.example]:2202" LINE_A), -1);
	assert_non_null(strstr(b->err.text, "([alpha.example]:2201)"));
	assert_int_equal(check_with(b, "[*.example]:*" LINE_A), 0);
	/* as ssh does, a host known without its port is known */
	assert_int_equal(check_with(b, "alpha.example" LINE_A), 0);
	/* but another key there is no proof of a change */
	assert_int_equal(check_with(b, "alpha.example" LINE_B), -1);
	assert_null(strstr(b->err.text, "changed"));
}

static void hashed_names_are_found(void **state)
{
	struct bench *b = *state;

	assert_int_equal(
		check_with(b, "|1|/z1kpVXeqKAtaGuzZXRWmt3BNNI=|"
			      "lG7Hta1zokrfCy/ocVpnPth/lPk=" LINE_A),
		0);
	free(b->t.hostname);
	b->t.hostname = mem_strdup("10.0.0.7");
	assert_int_equal(check(b), -1);
	b->t.port = 2201;
	assert_int_equal(
		check_with(b, "|1|gnKjURPBFwd+h1N+Zj7O2kwMK7c=|"
			      "rFJHA2G/wBxuUElu3n7tlkWrxjI=" LINE_A),
		0);
}

static void patterns_match_and_negated_ones_exclude(void **state)
{
	struct bench *b = *state;

	assert_int_equal(check_with(b, "*.example" LINE_A), 0);
	assert_int_equal(check_with(b, "alph?.example" LINE_A), 0);
	assert_int_equal(check_with(b, "*.example,!alpha.example" LINE_A), -1);
	assert_int_equal(check_with(b, "!alpha.*,*.example" LINE_A), -1);
	assert_int_equal(check_with(b, "!beta.*,*.example" LINE_A), 0);
	assert_int_equal(check_with(b, "!beta.*" LINE_A), -1);
	/* brackets are no pattern */
	assert_int_equal(check_with(b, "[a]lpha.example" LINE_A), -1);
}

static void an_alias_is_looked_up_instead_and_without_port(void **state)
{
	struct bench *b = *state;

	b->t.port = 2201;
	b->t.host_key_alias = mem_strdup("lab-one");
	assert_int_equal(check_with(b, "lab-one" LINE_A), 0);
	assert_int_equal(check_with(b, "[alpha.example]:2201" LINE_A), -1);
	assert_non_null(strstr(b->err.text, "host key of alpha (lab-one)"));
}

static void several_files_are_read(void **state)
{
	struct bench *b = *state;

	strlist_push(&b->t.known_hosts, "/nonexistent/known_hosts");
	free(b->t.known_hosts.items[1]);
	b->t.known_hosts.items[1] = b->t.known_hosts.items[0];
	b->t.known_hosts.items[0] = mem_strdup("/nonexistent/known_hosts");
	assert_int_equal(b->t.known_hosts.n, 2);
	assert_int_equal(check_with(b, "alpha.example" LINE_A), 0);
}

static void an_unknown_key_is_refused_with_the_way_to_add_it(void **state)
{
	struct bench *b = *state;
	char *want = mem_printf(
		"host key of alpha (alpha.example) is not in %s: add it with "
		"`ssh-keyscan alpha.example >>%s` after checking on the host "
		"that its ssh-ed25519 fingerprint is " PRINT_A,
		b->file, b->file);

	assert_int_equal(check_with(b, "beta.example" LINE_A), -1);
	assert_int_equal(b->err.kind, ERROR_ENVIRONMENT);
	assert_string_equal(b->err.text, want);
	free(want);
}

static void a_missing_file_is_told(void **state)
{
	struct bench *b = *state;

	assert_int_equal(check(b), -1);
	assert_non_null(strstr(b->err.text, "known_hosts (no such file)"));
}

static void a_user_who_checks_no_keys_is_told_that_we_do(void **state)
{
	struct bench *b = *state;

	b->t.lax_host_keys = true;
	assert_int_equal(check_with(b, "beta.example" LINE_A), -1);
	assert_non_null(strstr(b->err.text, "StrictHostKeyChecking"));
}

static void a_changed_key_is_refused_with_line_and_both_prints(void **state)
{
	struct bench *b = *state;
	char *place = mem_printf("%s line 3 holds " PRINT_B, b->file);

	assert_int_equal(check_with(b, "# one\nbeta.example" LINE_A
				       "alpha.example" LINE_B),
			 -1);
	assert_int_equal(b->err.kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(b->err.text, "has changed"));
	assert_non_null(strstr(b->err.text, PRINT_A));
	assert_non_null(strstr(b->err.text, place));
	assert_non_null(strstr(b->err.text, "-R 'alpha.example'"));
	free(place);
}

static void only_a_key_of_another_type_is_not_a_change(void **state)
{
	struct bench *b = *state;

	assert_int_equal(check_with(b, "alpha.example" LINE_C), -1);
	assert_null(strstr(b->err.text, "changed"));
	assert_non_null(strstr(b->err.text,
			       "line 1 has only its ecdsa-sha2-nistp256 key"));
}

static void a_revoked_key_is_refused_even_when_known(void **state)
{
	struct bench *b = *state;

	assert_int_equal(check_with(b, "alpha.example" LINE_A
				       "@revoked *" LINE_A),
			 -1);
	assert_non_null(strstr(b->err.text, "@revoked"));
	assert_non_null(strstr(b->err.text, "line 2"));
	/* another one that is revoked does not matter */
	assert_int_equal(check_with(b, "alpha.example" LINE_A
				       "@revoked *" LINE_B),
			 0);
}

static void authorities_vouch_for_nothing(void **state)
{
	struct bench *b = *state;

	assert_int_equal(check_with(b, "@cert-authority *" LINE_A), -1);
}

static void lines_that_are_none_are_passed_over(void **state)
{
	struct bench *b = *state;

	assert_int_equal(
		check_with(b, "alpha.example\nalpha.example ssh-ed25519\n"
			      "alpha.example ssh-ed25519 !!!!\n"
			      "alpha.example ssh-ed25519 AAA\n"
			      "@revoked\n@revoked alpha.example\n|1|\n|1|x|y "
			      "ssh-ed25519 " KEY_A "\n|1||= ssh-ed25519 x\n, "
			      "ssh-ed25519 " KEY_A "\n! ssh-ed25519 " KEY_A
			      "\n\x80\xff\n"),
		-1);
	assert_int_equal(check_with(b, "|1|\nalpha.example" LINE_A), 0);
}

static void expect_preference(struct bench *b, const char *text,
			      const char *want)
{
	struct buf out = BUF_INIT;

	write_known_hosts(b, text);
	hostkey_preference(&b->t, &out);
	assert_string_equal(out.data, want);
	buf_release(&out);
}

static void algorithms_of_known_keys_are_offered_first(void **state)
{
	struct bench *b = *state;

	expect_preference(b, "beta.example" LINE_C,
			  "ssh-ed25519,ecdsa-sha2-nistp256,"
			  "ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,ssh-rsa");
	expect_preference(b, "alpha.example" LINE_C,
			  "ecdsa-sha2-nistp256,ssh-ed25519,"
			  "ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,ssh-rsa");
	expect_preference(b, "@revoked alpha.example" LINE_C,
			  "ssh-ed25519,ecdsa-sha2-nistp256,"
			  "ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,ssh-rsa");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_key_has_the_fingerprint_that_ssh_keygen_prints),
		TEST(a_known_key_is_accepted),
		TEST(a_host_name_in_capitals_is_looked_up_in_small_letters),
		TEST(a_name_with_a_port_has_brackets),
		TEST(hashed_names_are_found),
		TEST(patterns_match_and_negated_ones_exclude),
		TEST(an_alias_is_looked_up_instead_and_without_port),
		TEST(several_files_are_read),
		TEST(an_unknown_key_is_refused_with_the_way_to_add_it),
		TEST(a_missing_file_is_told),
		TEST(a_user_who_checks_no_keys_is_told_that_we_do),
		TEST(a_changed_key_is_refused_with_line_and_both_prints),
		TEST(only_a_key_of_another_type_is_not_a_change),
		TEST(a_revoked_key_is_refused_even_when_known),
		TEST(authorities_vouch_for_nothing),
		TEST(lines_that_are_none_are_passed_over),
		TEST(algorithms_of_known_keys_are_offered_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
