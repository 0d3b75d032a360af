#include "keys.h"
#include "arena.h"
#include "derivation.h"
#include "sealing.h"
#include "wipe.h"

static const bytes PRIVATE_KEY = TEXT("private-key");
static const bytes IMPORT_TARGET = TEXT("import-target");

/** Seals a secret key and overwrites it. */
static status keep(bytes purpose, curve which, u8 secret[SECRET_BYTES], bytes binding, fresh_key *out) {
    u8 *public_key = arena_take(PUBLIC_KEY_BYTES_MAX);
    size_t length = curve_public_key(which, secret, public_key);
    seal_identity identity = {purpose, curve_name(which), {public_key, length}, binding};
    status answer = seal((bytes){secret, SECRET_BYTES}, &identity, &out->sealed);
    wipe(secret, SECRET_BYTES);
    out->public_key = identity.public_key;
    return answer;
}

/** @param secret 32 bytes in the arena; the caller wipes them. */
static status open_secret(bytes purpose, const sealed_key *key, u8 **secret) {
    seal_identity identity = {purpose, curve_name(key->curve), key->public_key, key->binding};
    bytes opened;
    status answer = unseal(key->sealed, &identity, &opened);
    if (answer != OK) return answer;
    if (opened.length != SECRET_BYTES) return BAD_SEAL;
    *secret = (u8 *)opened.at;
    return OK;
}

status key_generate(curve which, bytes binding, fresh_key *out) {
    u8 secret[SECRET_BYTES];
    curve_draw_secret(which, secret);
    return keep(PRIVATE_KEY, which, secret, binding, out);
}

status key_derive(bytes seed, curve which, const u32 *path, size_t levels, bytes binding, fresh_key *out) {
    u8 secret[SECRET_BYTES];
    status answer = derive_secret(seed, which, path, levels, secret);
    if (answer == OK) answer = keep(PRIVATE_KEY, which, secret, binding, out);
    wipe(secret, sizeof secret);
    return answer;
}

status key_sign(const sealed_key *key, scheme how, bytes message, bytes *signature) {
    u8 *secret, *out = arena_take(SIGNATURE_BYTES_MAX);
    status answer = open_secret(PRIVATE_KEY, key, &secret);
    if (answer != OK) return answer;
    answer = curve_sign(key->curve, how, key->public_key, secret, message, out, &signature->length);
    wipe(secret, SECRET_BYTES);
    signature->at = out;
    return answer;
}

status key_export(const sealed_key *key, bytes recipient, parcel *out) {
    u8 *secret;
    status answer = open_secret(PRIVATE_KEY, key, &secret);
    if (answer != OK) return answer;
    answer = hpke_seal(recipient, (bytes){secret, SECRET_BYTES}, out);
    wipe(secret, SECRET_BYTES);
    return answer;
}

status target_generate(bytes binding, fresh_key *out) {
    u8 secret[SECRET_BYTES];
    curve_draw_secret(P256, secret);
    return keep(IMPORT_TARGET, P256, secret, binding, out);
}

status target_open(const sealed_key *target, const parcel *sealed, bytes *secret) {
    u8 *target_secret;
    status answer = open_secret(IMPORT_TARGET, target, &target_secret);
    if (answer != OK) return answer;
    answer = hpke_open(target_secret, target->public_key, sealed, secret);
    wipe(target_secret, SECRET_BYTES);
    return answer;
}

status key_import(const sealed_key *target, const parcel *sealed, curve which, bytes binding, fresh_key *out) {
    bytes secret;
    status answer = target_open(target, sealed, &secret);
    if (answer != OK) return answer;
    answer = BAD_INPUT;
    if (secret.length == SECRET_BYTES && curve_is_secret(which, secret.at)) {
        answer = keep(PRIVATE_KEY, which, (u8 *)secret.at, binding, out);
    }
    wipe((u8 *)secret.at, secret.length);
    return answer;
}
