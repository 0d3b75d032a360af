#include "aes-gcm.h"
#include "wipe.h"
#include "bearssl.h"

static void run(int encrypt, const u8 *key, const u8 *nonce, const bytes *additional, size_t count, u8 *data, size_t length,
                u8 tag[GCM_TAG_BYTES]) {
    br_aes_ct64_ctr_keys keys;
    br_gcm_context context;
    br_aes_ct64_ctr_init(&keys, key, GCM_KEY_BYTES);
    br_gcm_init(&context, &keys.vtable, br_ghash_ctmul64);
    br_gcm_reset(&context, nonce, GCM_NONCE_BYTES);
    for (size_t i = 0; i < count; i++) br_gcm_aad_inject(&context, additional[i].at, additional[i].length);
    br_gcm_flip(&context);
    br_gcm_run(&context, encrypt, data, length);
    br_gcm_get_tag(&context, tag);
    wipe(&keys, sizeof keys);
    wipe(&context, sizeof context);
}

void gcm_seal(const u8 key[GCM_KEY_BYTES], const u8 nonce[GCM_NONCE_BYTES], const bytes *additional, size_t count, u8 *data,
              size_t length, u8 tag[GCM_TAG_BYTES]) {
    run(1, key, nonce, additional, count, data, length, tag);
}

int gcm_open(const u8 key[GCM_KEY_BYTES], const u8 nonce[GCM_NONCE_BYTES], const bytes *additional, size_t count, u8 *data,
             size_t length, const u8 tag[GCM_TAG_BYTES]) {
    u8 expected[GCM_TAG_BYTES];
    run(0, key, nonce, additional, count, data, length, expected);
    int fits = equal_bytes(expected, tag, GCM_TAG_BYTES);
    if (!fits) wipe(data, length);
    wipe(expected, sizeof expected);
    return fits;
}
