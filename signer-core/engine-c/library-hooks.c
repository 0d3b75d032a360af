/** What the libraries expect from their surroundings. */
#include "wipe.h"

void sodium_memzero(void *const at, const size_t length) {
    wipe(at, length);
}

/** 0 when equal, else -1, in constant time. */
int sodium_memcmp(const void *const a, const void *const b, size_t length) {
    return equal_bytes(a, b, length) - 1;
}

/** 1 when all bytes are 0, in constant time. */
int sodium_is_zero(const u8 *at, const size_t length) {
    u32 any = 0;
    for (size_t i = 0; i < length; i++) any |= at[i];
    return (int)((any - 1) >> 31);
}

/** Only for keys that libsodium would draw itself, which nobody asks it to. */
void randombytes_buf(void *const at, const size_t length) {
    (void)at;
    (void)length;
    trap();
}

_Noreturn void sodium_misuse(void) {
    trap();
}

/** libsecp256k1 calls these on arguments that its documentation forbids, and on broken invariants. */
_Noreturn void secp256k1_default_illegal_callback_fn(const char *message, void *data) {
    (void)message;
    (void)data;
    trap();
}

_Noreturn void secp256k1_default_error_callback_fn(const char *message, void *data) {
    (void)message;
    (void)data;
    trap();
}
