#include "arena.h"
#include "wipe.h"

/** A call's arguments come out of one frame of at most 4 MiB (protocol/limits.ts); the rest is for its results. */
#define ARENA_BYTES (4u * 1024 * 1024 + 256u * 1024)
/** The largest alignment of anything in the WIT interface. */
#define ALIGNMENT_MAX 8u

static u8 arena[ARENA_BYTES] __attribute__((aligned(16)));
static size_t used;

static u8 *take(size_t length, size_t alignment) {
    size_t start = (used + alignment - 1) & ~(alignment - 1);
    if (start > ARENA_BYTES || length > ARENA_BYTES - start) trap();
    used = start + length;
    return arena + start;
}

u8 *arena_take(size_t length) {
    return take(length, 1);
}

bytes arena_lift(const u8 *at, size_t length) {
    size_t start = (size_t)(at - arena);
    if (at < arena || start > used || length > used - start) trap();
    return (bytes){at, length};
}

void arena_release(void) {
    wipe(arena, used);
    used = 0;
}

/** Canonical ABI: room for an argument. Nothing in the interface is ever resized: strings would be, lists are not. */
__attribute__((export_name("cabi_realloc"))) void *cabi_realloc(void *old, size_t old_length, size_t alignment,
                                                                size_t length) {
    if (old != NULL || old_length != 0) trap();
    if (alignment == 0 || alignment > ALIGNMENT_MAX || (alignment & (alignment - 1)) != 0) trap();
    return take(length, alignment);
}
