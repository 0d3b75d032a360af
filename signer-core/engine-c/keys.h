/** Private keys and import targets: made, derived, imported, used and exported, never shown. Faults as in engine.wit. */
#ifndef KEYSTEAD_KEYS_H
#define KEYSTEAD_KEYS_H

#include "curves.h"
#include "hpke.h"

typedef struct {
    curve curve;
    bytes public_key;
    bytes sealed;
    bytes binding;
} sealed_key;

/** Both in the arena. */
typedef struct {
    bytes public_key;
    bytes sealed;
} fresh_key;

status key_generate(curve which, bytes binding, fresh_key *out);
status key_derive(bytes seed, curve which, const u32 *path, size_t levels, bytes binding, fresh_key *out);
status key_sign(const sealed_key *key, scheme how, bytes message, bytes *signature);
status key_export(const sealed_key *key, bytes recipient, parcel *out);

status target_generate(bytes binding, fresh_key *out);
/** @param target Its `curve` is P256. @param secret In the arena; the caller wipes it. */
status target_open(const sealed_key *target, const parcel *sealed, bytes *secret);
status key_import(const sealed_key *target, const parcel *sealed, curve which, bytes binding, fresh_key *out);

#endif
