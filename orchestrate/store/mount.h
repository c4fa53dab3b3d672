#ifndef STORE_MOUNT_H
#define STORE_MOUNT_H

struct buf;

/*
 * Appends the file system that holds `path` (which need not exist yet) as
 * people call it: "/dev/sda1 (/home)". "its file system" when the system
 * does not say.
 */
void mount_describe(const char *path, struct buf *out);

#endif
