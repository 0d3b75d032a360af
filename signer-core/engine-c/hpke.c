#include "hpke.h"
#include "aes-gcm.h"
#include "arena.h"
#include "curve-p256.h"
#include "curves.h"
#include "hashes.h"
#include "wipe.h"

#define POINT_BYTES 65

/** Section 7: identifiers of KEM, KDF and AEAD. */
static const bytes KEM_SUITE = TEXT("KEM\x00\x10");
static const bytes HPKE_SUITE = TEXT("HPKE\x00\x10\x00\x01\x00\x02");
static const bytes VERSION = TEXT("HPKE-v1");
static const bytes INFO = TEXT("turnkey_hpke");

typedef struct {
    u8 key[GCM_KEY_BYTES];
    u8 nonce[GCM_NONCE_BYTES];
} schedule;

/** Section 4. */
static void labeled_extract(bytes suite, bytes salt, bytes label, bytes input, u8 out[32]) {
    bytes parts[] = {VERSION, suite, label, input};
    hmac_sha256(salt, parts, COUNT(parts), out);
}

/** For up to 32 bytes, which is one block of HKDF. */
static void labeled_expand(bytes suite, const u8 key[32], bytes label, bytes info_a, bytes info_b, u8 *out, u8 length) {
    static const u8 FIRST_BLOCK[1] = {1};
    u8 length_bytes[2] = {0, length}, block[32];
    bytes parts[] = {ARRAY(length_bytes), VERSION, suite, label, info_a, info_b, ARRAY(FIRST_BLOCK)};
    hmac_sha256((bytes){key, 32}, parts, COUNT(parts), block);
    memcpy(out, block, length);
    wipe(block, sizeof block);
}

/** Sections 4.1 and 5.1: from the Diffie-Hellman value to the AEAD's key and nonce. */
static void derive_schedule(const u8 dh[32], const u8 encapsulated[POINT_BYTES], const u8 recipient[POINT_BYTES],
                            schedule *out) {
    u8 prk[32], shared[32], secret[32], context[1 + 32 + 32] = {0};
    labeled_extract(KEM_SUITE, NO_BYTES, TEXT("eae_prk"), (bytes){dh, 32}, prk);
    labeled_expand(KEM_SUITE, prk, TEXT("shared_secret"), (bytes){encapsulated, POINT_BYTES},
                   (bytes){recipient, POINT_BYTES}, shared, sizeof shared);
    // Mode base is 0.
    labeled_extract(HPKE_SUITE, NO_BYTES, TEXT("psk_id_hash"), NO_BYTES, context + 1);
    labeled_extract(HPKE_SUITE, NO_BYTES, TEXT("info_hash"), INFO, context + 1 + 32);
    labeled_extract(HPKE_SUITE, ARRAY(shared), TEXT("secret"), NO_BYTES, secret);
    labeled_expand(HPKE_SUITE, secret, TEXT("key"), ARRAY(context), NO_BYTES, out->key, sizeof out->key);
    labeled_expand(HPKE_SUITE, secret, TEXT("base_nonce"), ARRAY(context), NO_BYTES, out->nonce, sizeof out->nonce);
    wipe(prk, sizeof prk);
    wipe(shared, sizeof shared);
    wipe(secret, sizeof secret);
}

/** Multiplies and schedules. @return OK, or BAD_INPUT when the point is not on the curve. */
static status agree(const u8 secret[32], const u8 point[POINT_BYTES], const u8 encapsulated[POINT_BYTES],
                    const u8 recipient[POINT_BYTES], schedule *out) {
    u8 dh[32];
    status answer = p256_shared_x(secret, point, dh);
    if (answer == OK) derive_schedule(dh, encapsulated, recipient, out);
    wipe(dh, sizeof dh);
    return answer;
}

status hpke_seal(bytes recipient, bytes plaintext, parcel *out) {
    u8 ephemeral[SECRET_BYTES], to[POINT_BYTES];
    schedule agreed;
    if (p256_uncompress(recipient, to) != OK) return BAD_INPUT;
    curve_draw_secret(P256, ephemeral);
    u8 *encapsulated = arena_take(POINT_BYTES);
    p256_public_key(ephemeral, encapsulated);
    status answer = agree(ephemeral, to, encapsulated, to, &agreed);
    wipe(ephemeral, sizeof ephemeral);
    if (answer != OK) return answer;
    size_t length = plaintext.length + GCM_TAG_BYTES;
    u8 *ciphertext = arena_take(length);
    bytes additional[] = {{encapsulated, POINT_BYTES}, ARRAY(to)};
    memcpy(ciphertext, plaintext.at, plaintext.length);
    gcm_seal(agreed.key, agreed.nonce, additional, COUNT(additional), ciphertext, plaintext.length,
             ciphertext + plaintext.length);
    wipe(&agreed, sizeof agreed);
    *out = (parcel){{encapsulated, POINT_BYTES}, {ciphertext, length}};
    return OK;
}

status hpke_open(const u8 secret[32], bytes public_key, const parcel *sealed, bytes *plaintext) {
    u8 from[POINT_BYTES];
    schedule agreed;
    if (public_key.length != POINT_BYTES) trap();
    if (p256_uncompress(sealed->encapsulated, from) != OK) return BAD_INPUT;
    if (agree(secret, from, from, public_key.at, &agreed) != OK) return BAD_INPUT;
    status answer = BAD_SEAL;
    bytes ciphertext = sealed->ciphertext;
    if (ciphertext.length >= GCM_TAG_BYTES) {
        size_t length = ciphertext.length - GCM_TAG_BYTES;
        u8 *opened = arena_take(length);
        bytes additional[] = {ARRAY(from), public_key};
        if (length > 0) memcpy(opened, ciphertext.at, length);
        *plaintext = (bytes){opened, length};
        if (gcm_open(agreed.key, agreed.nonce, additional, COUNT(additional), opened, length, ciphertext.at + length)) {
            answer = OK;
        }
    }
    wipe(&agreed, sizeof agreed);
    return answer;
}
