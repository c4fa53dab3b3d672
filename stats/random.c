#include "stats/random.h"

#include <assert.h>

/* SplitMix64 (Steele, Lea and Flood 2014), constants of its public code. */
static uint64_t split_mix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void random_seed(struct random *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = split_mix(&seed);
}

static uint64_t rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

/* One step of xoshiro256** 1.0; a, b, c, d are the four words of the paper. */
uint64_t random_next(struct random *r)
{
	uint64_t a = r->s[0], b = r->s[1], c = r->s[2], d = r->s[3];

	c ^= a;
	d ^= b;
	r->s[0] = a ^ d;
	r->s[1] = b ^ c;
	r->s[2] = c ^ (b << 17);
	r->s[3] = rotate(d, 45);
	return rotate(b * 5, 7) * 9;
}

uint64_t random_below(struct random *r, uint64_t n)
{
	uint64_t first, x;

	assert(n > 0);
	/* 2^64 mod n: from there up, every remainder is equally frequent */
	first = (0 - n) % n;
	do {
		x = random_next(r);
	} while (x < first);
	return x % n;
}

void random_shuffle(struct random *r, uint32_t *items, size_t n)
{
	for (size_t i = n; i-- > 1;) {
		size_t j = (size_t)random_below(r, i + 1);
		uint32_t item = items[i];

		items[i] = items[j];
		items[j] = item;
	}
}
