#include "identity.h"
#include "curve-p256.h"
#include "hashes.h"
#include "scalars.h"
#include "wipe.h"

static status open_identity(u8 secret[SCALAR_BYTES]) {
    bytes wide;
    if (sub_key(FOR_IDENTITY, &wide) != OK) return NO_DATA_KEY;
    scalar_from_wide(ORDER_P256, wide.at, secret);
    return OK;
}

status identity_public_key(u8 out[65]) {
    u8 secret[SCALAR_BYTES];
    if (open_identity(secret) != OK) return NO_DATA_KEY;
    p256_public_key(secret, out);
    wipe(secret, sizeof secret);
    return OK;
}

/** ASN.1 INTEGER of a positive number: without leading zeros, but with one where the first bit would be a sign. */
static size_t put_integer(const u8 number[SCALAR_BYTES], u8 *out) {
    size_t skipped = 0;
    while (skipped < SCALAR_BYTES - 1 && number[skipped] == 0) skipped++;
    size_t sign = number[skipped] >> 7, length = sign + SCALAR_BYTES - skipped;
    out[0] = 0x02;
    out[1] = (u8)length;
    out[2] = 0;
    memcpy(out + 2 + sign, number + skipped, SCALAR_BYTES - skipped);
    return 2 + length;
}

status identity_attest(bytes data, u8 out[72], size_t *length) {
    u8 secret[SCALAR_BYTES], digest[32], public_key[65], signature[65];
    if (open_identity(secret) != OK) return NO_DATA_KEY;
    sha256(data, digest);
    p256_public_key(secret, public_key);
    if (!p256_sign(digest, secret, ARRAY(public_key), signature)) trap();
    wipe(secret, sizeof secret);
    size_t body = put_integer(signature + 1, out + 2);
    body += put_integer(signature + 1 + SCALAR_BYTES, out + 2 + body);
    out[0] = 0x30;
    out[1] = (u8)body;
    *length = 2 + body;
    return OK;
}

status notarize(purpose which, bytes text, u8 out[NOTARY_SEAL_BYTES]) {
    bytes key;
    if (sub_key(which, &key) != OK) return NO_DATA_KEY;
    hmac_sha256(key, &text, 1, out);
    return OK;
}
