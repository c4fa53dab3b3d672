#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "plot/chart/figure.h"
#include "plot/chart/stamp.h"

/* Signature, and the IHDR chunk, which must come first. */
#define HEAD_SIZE (8 + 25)
#define PIXELS_PER_METRE 11811 /* 300 dpi */

/* CRC-32 of ISO 3309, as the PNG specification (annex D) asks for. */
static uint32_t crc32_add(uint32_t crc, const char *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
	}
	return crc;
}

static void add_u32(struct buf *out, uint32_t v)
{
	unsigned char bytes[4] = { (unsigned char)(v >> 24),
				   (unsigned char)(v >> 16),
				   (unsigned char)(v >> 8),
				   (unsigned char)v };

	buf_add(out, bytes, sizeof(bytes));
}

static void add_chunk(struct buf *out, const char *type,
		      const struct buf *content)
{
	uint32_t crc = crc32_add(0xffffffffu, type, 4);

	crc = crc32_add(crc, content->data, content->n);
	add_u32(out, (uint32_t)content->n);
	buf_add(out, type, 4);
	buf_add(out, content->data, content->n);
	add_u32(out, ~crc);
}

static void add_resolution(struct buf *out)
{
	struct buf content = BUF_INIT;

	add_u32(&content, PIXELS_PER_METRE);
	add_u32(&content, PIXELS_PER_METRE);
	buf_addc(&content, 1); /* per metre */
	add_chunk(out, "pHYs", &content);
	buf_release(&content);
}

static bool is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x7f || (unsigned char)*s < 0x20)
			return false;
	return true;
}

/* tEXt is Latin-1; what is not ASCII goes into iTXt, which is UTF-8. */
static void add_text(struct buf *out, const char *keyword, const char *text)
{
	struct buf content = BUF_INIT;
	bool ascii;

	if (!text || !*text)
		return;
	ascii = is_ascii(text);
	buf_add(&content, keyword, strlen(keyword) + 1);
	if (!ascii) /* not compressed; no language, no translated keyword */
		buf_add(&content, "\0\0\0\0", 4);
	utf8_add_printable(&content, text, strlen(text));
	add_chunk(out, ascii ? "tEXt" : "iTXt", &content);
	buf_release(&content);
}

void stamp_png(struct buf *png, const struct figure *f)
{
	const struct provenance *p = &f->provenance;
	struct buf out = BUF_INIT, text = BUF_INIT;

	if (png->n < HEAD_SIZE)
		return;
	buf_add(&out, png->data, HEAD_SIZE);
	add_resolution(&out);
	stamp_title(&text, f);
	add_text(&out, "Title", text.data);
	buf_clear(&text);
	stamp_description(&text, f);
	add_text(&out, "Description", text.data);
	buf_clear(&text);
	stamp_creator(&text, f);
	add_text(&out, "Software", text.data);
	add_text(&out, "assay:experiment", p->experiment);
	add_text(&out, "assay:commit", p->commit);
	add_text(&out, "assay:campaign", p->campaign);
	add_text(&out, "assay:data", p->digest);
	add_text(&out, "assay:version", p->version);
	buf_add(&out, png->data + HEAD_SIZE, png->n - HEAD_SIZE);
	buf_release(&text);
	buf_release(png);
	*png = out;
}
