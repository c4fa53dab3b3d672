# assay: make, make check, make demo, make install. See CONTRIBUTING.md.

VERSION := 0.1.0
PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(PREFIX)/bin
datadir = $(PREFIX)/share/assay
mandir = $(PREFIX)/share/man
bashcompdir = $(PREFIX)/share/bash-completion/completions
zshcompdir = $(PREFIX)/share/zsh/site-functions
fishcompdir = $(PREFIX)/share/fish/vendor_completions.d

CC = gcc
AR = ar
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config

# make check SANITIZE=address,undefined builds into a folder of its own
SANITIZE ?=
comma := ,
BUILD := build$(if $(SANITIZE),/sanitize-$(subst $(comma),-,$(SANITIZE)))

# Folders, each an archive, lowest last: an upward call does not link.
FOLDERS := plot/report plot/table plot/chart \
	orchestrate/exec orchestrate/store orchestrate/vcs \
	orchestrate/schedule orchestrate/library orchestrate/spec \
	stats base

PACKAGES := yaml-0.1 libgit2 cairo pangocairo libssh2 gsl sqlite3 libuv \
	libpcre2-8 icu-i18n icu-uc libcmark-gfm smartcols libzstd libcrypto
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
# Debian's libjq has no pkg-config file
LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null) -ljq -lm

WARNINGS := -Wall -Wextra -Wshadow -Wvla -Wmissing-prototypes \
	-Wstrict-prototypes -Wwrite-strings -Wformat=2 -Wundef \
	$(if $(DEVELOPER),-Werror)
ALL_CFLAGS = -std=gnu17 -D_GNU_SOURCE -I. -MMD -MP $(WARNINGS) \
	-fno-common -fstack-protector-strong -ffp-contract=off \
	-DASSAY_VERSION='"$(VERSION)"' -DASSAY_DATADIR='"$(datadir)"' \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer) $(PKG_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE)) -Wl,--as-needed \
	$(LDFLAGS)

# make V=1 shows whole commands
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-3s %s\n' '$(1)' '$(2)')

sources = $(wildcard $(1)/*.c)
archive = $(BUILD)/lib$(subst /,-,$(1)).a
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

ARCHIVES := $(foreach f,$(FOLDERS),$(if $(call sources,$(f)),$(call archive,$(f))))
CMD_OBJECTS := $(call objects,$(wildcard cmd/*.c))
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/tests/bench/%,$(wildcard tests/bench/*.c))
REPLAYS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/fuzz/replay_%,$(wildcard tests/fuzz/fuzz_*.c))
HELPERS := $(patsubst tests/helper/%.c,$(BUILD)/tests/helper/%,$(wildcard tests/helper/*.c))

all: $(BUILD)/assay

$(BUILD)/assay: $(CMD_OBJECTS) $(ARCHIVES)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

define folder_rules
$(call archive,$(1)): $(call objects,$(call sources,$(1)))
	@rm -f $$@
	$$(call say,AR,$$@)
	$$(Q)$$(AR) rcs $$@ $$^
endef
$(foreach f,$(FOLDERS),$(if $(call sources,$(f)),$(eval $(call folder_rules,$(f)))))

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Unit tests see only the archives, never cmd/.
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(ARCHIVES)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(BUILD)/tests/helper/%: $(BUILD)/tests/helper/%.o $(ARCHIVES)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o \
		$(BUILD)/tests/fuzz/replay.o $(ARCHIVES)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(ARCHIVES)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

.SECONDARY:

deps:
	@tests/deps.sh build

deps-check:
	@tests/deps.sh build check

deps-analyze:
	@tests/deps.sh build check analyze

# The second make sees the libraries that the first has just installed.
check: deps-check
	+@$(MAKE) --no-print-directory check-run

check-build: all $(UNIT_TESTS) $(REPLAYS) $(HELPERS)

check-run: check-build
	@ASSAY=$(CURDIR)/$(BUILD)/assay BUILD=$(BUILD) SANITIZE=$(SANITIZE) \
		tests/run.sh $(TESTS)

check-headers:
	@tests/check-headers.sh

check-layers: $(ARCHIVES)
	@tests/check-layers.sh $(BUILD)

check-size:
	@tests/check-size.sh

check-banned:
	@tests/check-banned.sh

analyze: deps-analyze
	@tests/analyze.sh

fuzz:
	@tests/fuzz/run.sh $(FUZZ_SECONDS)

bench: deps-check all
	@tests/bench/run.sh

demo: deps
	+@$(MAKE) --no-print-directory all
	@tests/demo.sh

man: $(BUILD)/man/.made

# A file, so that installing as root what a user has built writes nothing here.
$(BUILD)/man/.made: $(BUILD)/assay docs/assay-experiment.5 docs/man.sh
	@mkdir -p $(BUILD)/man
	@for page in assay $$($(BUILD)/assay help --commands | sed 's/^/assay-/'); do \
		$(BUILD)/assay help --man $$page >$(BUILD)/man/$$page.1 || exit 1; \
	done
	@ASSAY=$(BUILD)/assay docs/man.sh >$(BUILD)/man/assay-experiment.5
	@touch $@

install: all man
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(datadir)/library \
		$(DESTDIR)$(datadir)/report-templates \
		$(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5 \
		$(DESTDIR)$(bashcompdir) $(DESTDIR)$(zshcompdir) \
		$(DESTDIR)$(fishcompdir)
	install -m 755 $(BUILD)/assay $(DESTDIR)$(bindir)/assay
	cd experiments/library && find . -name '*.yaml' -exec \
		install -D -m 644 {} $(abspath $(DESTDIR)$(datadir))/library/{} \;
	install -m 644 report-templates/*.html \
		$(DESTDIR)$(datadir)/report-templates/
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(mandir)/man1/
	install -m 644 $(BUILD)/man/*.5 $(DESTDIR)$(mandir)/man5/
	$(BUILD)/assay completion bash >$(DESTDIR)$(bashcompdir)/assay
	$(BUILD)/assay completion zsh >$(DESTDIR)$(zshcompdir)/_assay
	$(BUILD)/assay completion fish >$(DESTDIR)$(fishcompdir)/assay.fish

clean:
	rm -rf build

.PHONY: all deps deps-check deps-analyze check check-build check-run \
	check-headers check-layers check-size check-banned analyze fuzz bench \
	demo man install clean

-include $(patsubst %.o,%.d,$(CMD_OBJECTS) \
	$(foreach f,$(FOLDERS),$(call objects,$(call sources,$(f)))) \
	$(patsubst %,%.d,$(UNIT_TESTS) $(REPLAYS) $(HELPERS) $(BENCHES)) \
	$(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%.d,$(wildcard tests/fuzz/*.c)))
