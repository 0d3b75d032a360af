#include "sealing.h"
#include "aes-gcm.h"
#include "arena.h"
#include "entropy.h"
#include "sub-keys.h"

#define FORMAT 1
#define HEAD_BYTES (1 + GCM_NONCE_BYTES)

/** Version, purpose, curve, public key, binding. */
#define FIELDS 5

typedef struct {
    u8 format[1];
    u8 lengths[FIELDS][4];
    bytes parts[2 * FIELDS];
} additional_data;

/** Each field after its length in four big-endian bytes, so that no two identities give the same bytes. */
static void describe(const seal_identity *identity, additional_data *out) {
    out->format[0] = FORMAT;
    const bytes fields[FIELDS] = {
        ARRAY(out->format), identity->purpose, identity->curve, identity->public_key, identity->binding,
    };
    for (size_t i = 0; i < FIELDS; i++) {
        for (int byte = 0; byte < 4; byte++) out->lengths[i][byte] = (u8)(fields[i].length >> (24 - 8 * byte));
        out->parts[2 * i] = ARRAY(out->lengths[i]);
        out->parts[2 * i + 1] = fields[i];
    }
}

status seal(bytes secret, const seal_identity *identity, bytes *out) {
    bytes key;
    if (sub_key(FOR_SEALED_KEY, &key) != OK) return NO_DATA_KEY;
    additional_data data;
    describe(identity, &data);
    size_t length = HEAD_BYTES + secret.length + GCM_TAG_BYTES;
    u8 *sealed = arena_take(length);
    u8 *body = sealed + HEAD_BYTES;
    sealed[0] = FORMAT;
    draw(sealed + 1, GCM_NONCE_BYTES);
    memcpy(body, secret.at, secret.length);
    gcm_seal(key.at, sealed + 1, data.parts, COUNT(data.parts), body, secret.length, body + secret.length);
    *out = (bytes){sealed, length};
    return OK;
}

status unseal(bytes sealed, const seal_identity *identity, bytes *secret) {
    bytes key;
    if (sub_key(FOR_SEALED_KEY, &key) != OK) return NO_DATA_KEY;
    if (sealed.length <= HEAD_BYTES + GCM_TAG_BYTES || sealed.at[0] != FORMAT) return BAD_SEAL;
    additional_data data;
    describe(identity, &data);
    size_t length = sealed.length - HEAD_BYTES - GCM_TAG_BYTES;
    u8 *opened = arena_take(length);
    memcpy(opened, sealed.at + HEAD_BYTES, length);
    const u8 *tag = sealed.at + HEAD_BYTES + length;
    if (!gcm_open(key.at, sealed.at + 1, data.parts, COUNT(data.parts), opened, length, tag)) return BAD_SEAL;
    *secret = (bytes){opened, length};
    return OK;
}
