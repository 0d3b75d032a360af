#include "derivation.h"
#include "hashes.h"
#include "scalars.h"
#include "wipe.h"

/** Where a hash is no key, both standards say what to do next; it happens once in 2^127 (P-256: 2^32) times. */
typedef struct {
    u8 secret[SECRET_BYTES];
    u8 chain_code[32];
} node;

static void number_of(u32 index, u8 out[4]) {
    for (int byte = 0; byte < 4; byte++) out[byte] = (u8)(index >> (24 - 8 * byte));
}

static void hash_into(node *out, bytes key, const bytes *parts, size_t count) {
    u8 digest[64];
    hmac_sha512(key, parts, count, digest);
    memcpy(out->secret, digest, 32);
    memcpy(out->chain_code, digest + 32, 32);
    wipe(digest, sizeof digest);
}

static void master(bytes seed, curve which, node *out) {
    static const bytes KEYS[CURVES] = {TEXT("Bitcoin seed"), TEXT("ed25519 seed"), TEXT("Nist256p1 seed")};
    hash_into(out, KEYS[which], &seed, 1);
    // SLIP-10: hash again until it is a key.
    while (!curve_is_secret(which, out->secret)) {
        node previous = *out;
        bytes whole[] = {ARRAY(previous.secret), ARRAY(previous.chain_code)};
        hash_into(out, KEYS[which], whole, COUNT(whole));
        wipe(&previous, sizeof previous);
    }
}

/** SEC 1 compressed. */
static void compressed_key(curve which, const u8 secret[SECRET_BYTES], u8 out[33]) {
    u8 point[PUBLIC_KEY_BYTES_MAX];
    curve_public_key(which, secret, point);
    out[0] = (u8)(2 | (point[64] & 1));
    memcpy(out + 1, point + 1, 32);
}

static void child(curve which, const node *parent, u32 index, node *out) {
    u8 key[33] = {0}, number[4], one[1] = {1}, chain_code[32];
    number_of(index, number);
    if (index >= HARDENED) memcpy(key + 1, parent->secret, SECRET_BYTES);
    else compressed_key(which, parent->secret, key);
    bytes first[] = {ARRAY(key), ARRAY(number)};
    hash_into(out, ARRAY(parent->chain_code), first, COUNT(first));
    wipe(key, sizeof key);
    const u8 *order = curve_order(which);
    if (order == NULL) return;
    u8 sum[SCALAR_BYTES];
    while (!scalar_add(order, parent->secret, out->secret, sum)) {
        memcpy(chain_code, out->chain_code, sizeof chain_code);
        bytes again[] = {ARRAY(one), ARRAY(chain_code), ARRAY(number)};
        hash_into(out, ARRAY(parent->chain_code), again, COUNT(again));
    }
    memcpy(out->secret, sum, sizeof sum);
    wipe(sum, sizeof sum);
}

status derive_secret(bytes seed, curve which, const u32 *path, size_t levels, u8 out[SECRET_BYTES]) {
    node current, next;
    status answer = OK;
    master(seed, which, &current);
    for (size_t level = 0; level < levels && answer == OK; level++) {
        if (which == ED25519 && path[level] < HARDENED) answer = BAD_INPUT;
        else {
            child(which, &current, path[level], &next);
            current = next;
        }
    }
    memcpy(out, current.secret, SECRET_BYTES);
    wipe(&current, sizeof current);
    wipe(&next, sizeof next);
    return answer;
}
