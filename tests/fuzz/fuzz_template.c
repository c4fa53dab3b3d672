/*
 * The template language: whatever a template holds, rendering ends, stays
 * within its bounds, and either gives a page or one error of a known form.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "plot/report/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* {a: "<text>", e: "", l: ["x", {a: "in"}, []], o: {a: "o", l: ["y"]}} */
static struct content *tree(void)
{
	struct content *root = content_object(), *list = content_list();
	struct content *inner = content_object(), *object = content_object();
	struct content *short_list = content_list();

	content_set_text(inner, "a", "in");
	content_push(list, content_text("x"));
	content_push(list, inner);
	content_push(list, content_list());
	content_push(short_list, content_text("y"));
	content_set_text(object, "a", "o");
	content_set(object, "l", short_list);
	content_set_text(root, "a", "<text>");
	content_set_text(root, "e", "");
	content_set(root, "l", list);
	content_set(root, "o", object);
	return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct error err = ERROR_INIT;
	struct content *root = tree();
	struct buf out = BUF_INIT;

	buf_adds(&out, "before");
	if (template_render("t", text, root, &out, &err) < 0) {
		if (err.kind != ERROR_USAGE || strncmp(err.text, "t:", 2) ||
		    strcmp(out.data, "before"))
			abort();
	} else if (err.kind != ERROR_NONE || strncmp(out.data, "before", 6)) {
		abort();
	} else if (!strstr(text, "{{") && strcmp(out.data + 6, text)) {
		abort();
	}
	buf_release(&out);
	content_free(root);
	free(text);
	return 0;
}
