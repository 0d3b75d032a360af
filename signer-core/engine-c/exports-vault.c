/** `vault` of engine.wit. */
#include "abi.h"
#include "arena.h"
#include "curve-secp256k1.h"
#include "entropy.h"
#include "self-test.h"
#include "sub-keys.h"
#include "wipe.h"

/** WIT enum `load-fault`. */
enum { BAD_LENGTH, ALREADY_LOADED };
#define NO_FAULT (-1)

EXPORT("vault", "load") const small_result *vault_load(const u8 *at, size_t length) {
    bytes data_key = arena_lift(at, length);
    if (data_key.length != DATA_KEY_BYTES) return return_nothing(BAD_LENGTH);
    if (sub_keys_loaded()) return return_nothing(ALREADY_LOADED);
    u8 seed[32];
    draw(seed, sizeof seed);
    secp256k1_start(seed);
    wipe(seed, sizeof seed);
    // Before there is a key that a fault could give away.
    self_test();
    sub_keys_load(data_key.at);
    return return_nothing(NO_FAULT);
}

EXPORT_AFTER("vault", "load") void after_vault_load(const small_result *result) {
    (void)result;
    abi_clean();
}

EXPORT("vault", "wipe") void vault_wipe(void) {
    sub_keys_wipe();
    abi_clean();
}
