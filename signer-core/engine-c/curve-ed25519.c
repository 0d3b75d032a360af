#include "curve-ed25519.h"
#include "wipe.h"
#include "sodium/crypto_sign_ed25519.h"

void ed25519_public_key(const u8 secret[32], u8 out[32]) {
    u8 expanded[crypto_sign_ed25519_SECRETKEYBYTES];
    crypto_sign_ed25519_seed_keypair(out, expanded, secret);
    wipe(expanded, sizeof expanded);
}

int ed25519_sign(bytes message, const u8 secret[32], bytes public_key, u8 out[64]) {
    // libsodium's form of a secret key: RFC 8032's and the public key after it.
    u8 expanded[crypto_sign_ed25519_SECRETKEYBYTES];
    if (public_key.length != crypto_sign_ed25519_PUBLICKEYBYTES) return 0;
    memcpy(expanded, secret, 32);
    memcpy(expanded + 32, public_key.at, public_key.length);
    crypto_sign_ed25519_detached(out, NULL, message.at, message.length, expanded);
    wipe(expanded, sizeof expanded);
    if (crypto_sign_ed25519_verify_detached(out, message.at, message.length, public_key.at) == 0) return 1;
    wipe(out, 64);
    return 0;
}
