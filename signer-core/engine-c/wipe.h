/** Overwriting of secrets, and comparison that takes the same time whatever the bytes are. */
#ifndef KEYSTEAD_WIPE_H
#define KEYSTEAD_WIPE_H

#include "bytes.h"

/** Overwrites with zeros; the compiler must not leave it out. */
void wipe(void *at, size_t length);

/** Overwrites the stack below the caller's frame, where the functions that it called have left their locals. */
void wipe_stack(void);

/** 1 when equal, else 0, in constant time. */
int equal_bytes(const u8 *a, const u8 *b, size_t length);

#endif
