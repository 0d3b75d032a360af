#include "hashes.h"
#include "wipe.h"
#include "bearssl.h"
#include "sodium/crypto_generichash_blake2b.h"

void sha256(bytes data, u8 out[32]) {
    br_sha256_context context;
    br_sha256_init(&context);
    br_sha256_update(&context, data.at, data.length);
    br_sha256_out(&context, out);
    wipe(&context, sizeof context);
}

static void sha512(bytes data, u8 out[64]) {
    br_sha512_context context;
    br_sha512_init(&context);
    br_sha512_update(&context, data.at, data.length);
    br_sha512_out(&context, out);
    wipe(&context, sizeof context);
}

size_t digest_of(hash algorithm, bytes data, u8 out[DIGEST_BYTES_MAX]) {
    switch (algorithm) {
    case SHA256:
        sha256(data, out);
        return 32;
    case SHA512:
        sha512(data, out);
        return 64;
    case KECCAK256:
        keccak_256(0x01, data, out);
        return 32;
    case SHA3_256:
        keccak_256(0x06, data, out);
        return 32;
    case RIPEMD160:
        ripemd160(data, out);
        return 20;
    case BLAKE2B256:
        crypto_generichash_blake2b(out, 32, data.at, data.length, NULL, 0);
        return 32;
    case HASHES:
        break;
    }
    trap();
}

static void hmac(const br_hash_class *algorithm, bytes key, const bytes *parts, size_t count, u8 *out) {
    br_hmac_key_context key_context;
    br_hmac_context context;
    br_hmac_key_init(&key_context, algorithm, key.at, key.length);
    br_hmac_init(&context, &key_context, 0);
    for (size_t i = 0; i < count; i++) br_hmac_update(&context, parts[i].at, parts[i].length);
    br_hmac_out(&context, out);
    wipe(&key_context, sizeof key_context);
    wipe(&context, sizeof context);
}

void hmac_sha256(bytes key, const bytes *parts, size_t count, u8 out[32]) {
    hmac(&br_sha256_vtable, key, parts, count, out);
}

void hmac_sha512(bytes key, const bytes *parts, size_t count, u8 out[64]) {
    hmac(&br_sha512_vtable, key, parts, count, out);
}

void hkdf_sha256(bytes input, bytes info, u8 *out, size_t length) {
    br_hkdf_context context;
    br_hkdf_init(&context, &br_sha256_vtable, BR_HKDF_NO_SALT, 0);
    br_hkdf_inject(&context, input.at, input.length);
    br_hkdf_flip(&context);
    br_hkdf_produce(&context, info.at, info.length, out, length);
    wipe(&context, sizeof context);
}

void pbkdf2_sha512(bytes password, bytes salt, u32 rounds, u8 out[64]) {
    static const u8 FIRST_BLOCK[4] = {0, 0, 0, 1};
    br_hmac_key_context key;
    br_hmac_context context;
    u8 last[64];
    br_hmac_key_init(&key, &br_sha512_vtable, password.at, password.length);
    br_hmac_init(&context, &key, 0);
    br_hmac_update(&context, salt.at, salt.length);
    br_hmac_update(&context, FIRST_BLOCK, sizeof FIRST_BLOCK);
    br_hmac_out(&context, last);
    memcpy(out, last, sizeof last);
    for (u32 round = 1; round < rounds; round++) {
        br_hmac_init(&context, &key, 0);
        br_hmac_update(&context, last, sizeof last);
        br_hmac_out(&context, last);
        for (size_t i = 0; i < sizeof last; i++) out[i] ^= last[i];
    }
    wipe(&key, sizeof key);
    wipe(&context, sizeof context);
    wipe(last, sizeof last);
}
