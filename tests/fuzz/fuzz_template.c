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
static struct filling *tree(void)
{
	struct filling *root = filling_object(), *list = filling_list();
	struct filling *inner = filling_object(), *object = filling_object();
	struct filling *short_list = filling_list();

	filling_set_text(inner, "a", "in");
	filling_push(list, filling_text("x"));
	filling_push(list, inner);
	filling_push(list, filling_list());
	filling_push(short_list, filling_text("y"));
	filling_set_text(object, "a", "o");
	filling_set(object, "l", short_list);
	filling_set_text(root, "a", "<text>");
	filling_set_text(root, "e", "");
	filling_set(root, "l", list);
	filling_set(root, "o", object);
	return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct error err = ERROR_INIT;
	struct filling *root = tree();
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
	filling_free(root);
	free(text);
	return 0;
}
