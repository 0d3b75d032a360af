/**
 * The one place for bytes that cross the component's border: arguments, entropy, results. Grows upwards during one call
 * and is overwritten as a whole after it. There is no other heap.
 */
#ifndef KEYSTEAD_ARENA_H
#define KEYSTEAD_ARENA_H

#include "bytes.h"

/** Bytes that live until the end of the call. Traps when there is no room. */
u8 *arena_take(size_t length);

/** An argument of type list<u8>. Traps unless it lies where cabi_realloc has put it. */
bytes arena_lift(const u8 *at, size_t length);

/** Overwrites and frees everything. */
void arena_release(void);

#endif
