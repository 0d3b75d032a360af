/** Words for bytes that all files share. */
#ifndef KEYSTEAD_BYTES_H
#define KEYSTEAD_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

/** Bytes that somebody else owns. */
typedef struct {
    const u8 *at;
    size_t length;
} bytes;

#define ARRAY(array) ((bytes){(array), sizeof(array)})
/** A string literal without its end. */
#define TEXT(literal) ((bytes){(const u8 *)(literal), sizeof(literal) - 1})
#define NO_BYTES ((bytes){NULL, 0})
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Answers of everything that can be refused; the names after OK are those of the WIT enum `fault`, in its order. */
typedef enum { OK, NO_DATA_KEY, BAD_INPUT, BAD_SEAL } status;

/** Ends the instance: for what must not happen. The host then ends its process. */
_Noreturn static inline void trap(void) {
    __builtin_trap();
}

#endif
