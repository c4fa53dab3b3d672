#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"

static const char abc[] =
	"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/* The examples of FIPS 180-2, appendix B. */
static void test_known_digests_are_right(void **state)
{
	char hex[HASH_HEX_SIZE];
	struct hash *h = hash_new();

	(void)state;
	hash_finish(h, hex);
	assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb924"
				 "27ae41e4649b934ca495991b7852b855");
	hash_free(h);
	h = hash_new();
	hash_add(h, "abc", 3);
	hash_finish(h, hex);
	assert_string_equal(hex, abc);
	hash_free(h);
	hash_free(NULL);
}

static void test_pieces_add_up_to_the_whole(void **state)
{
	char hex[HASH_HEX_SIZE];
	struct hash *h = hash_new();

	(void)state;
	hash_add(h, "a", 1);
	hash_add(h, "", 0);
	hash_add(h, "bc", 2);
	hash_finish(h, hex);
	assert_string_equal(hex, abc);
	hash_free(h);
}

static void digest_of(const char *a, const char *b, char hex[HASH_HEX_SIZE])
{
	struct hash *h = hash_new();

	hash_add_string(h, a);
	hash_add_string(h, b);
	hash_finish(h, hex);
	hash_free(h);
}

static void test_where_strings_end_matters(void **state)
{
	char one[HASH_HEX_SIZE], other[HASH_HEX_SIZE];

	(void)state;
	digest_of("a", "bc", one);
	digest_of("ab", "c", other);
	assert_string_not_equal(one, other);
	digest_of("", "", one);
	digest_of(NULL, NULL, other);
	assert_string_equal(one, other);
}

static void test_random_hex_has_the_length_asked_for(void **state)
{
	char one[401], other[401];

	(void)state;
	hash_random_hex(one, 0);
	assert_string_equal(one, "");
	hash_random_hex(one, 16);
	hash_random_hex(other, 16);
	assert_int_equal(strlen(one), 32);
	assert_int_equal(strspn(one, "0123456789abcdef"), 32);
	assert_string_not_equal(one, other);
	hash_random_hex(one, 200);
	assert_int_equal(strlen(one), 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_digests_are_right),
		cmocka_unit_test(test_pieces_add_up_to_the_whole),
		cmocka_unit_test(test_where_strings_end_matters),
		cmocka_unit_test(test_random_hex_has_the_length_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
