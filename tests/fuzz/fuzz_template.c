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
static struct value *tree(void)
{
	struct value *root = value_object(), *list = value_list();
	struct value *inner = value_object(), *object = value_object();
	struct value *short_list = value_list();

	value_set_text(inner, "a", "in");
	value_push(list, value_text("x"));
	value_push(list, inner);
	value_push(list, value_list());
	value_push(short_list, value_text("y"));
	value_set_text(object, "a", "o");
	value_set(object, "l", short_list);
	value_set_text(root, "a", "<text>");
	value_set_text(root, "e", "");
	value_set(root, "l", list);
	value_set(root, "o", object);
	return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct error err = ERROR_INIT;
	struct value *root = tree();
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
	value_free(root);
	free(text);
	return 0;
}
