/** ed25519 (RFC 8032) on libsodium. */
#ifndef KEYSTEAD_CURVE_ED25519_H
#define KEYSTEAD_CURVE_ED25519_H

#include "bytes.h"

void ed25519_public_key(const u8 secret[32], u8 out[32]);

/**
 * Signs with the public key that is known already. A wrong one makes a signature that could give the key away, so it
 * counts only when it verifies.
 *
 * @return whether the public key verifies it.
 */
int ed25519_sign(bytes message, const u8 secret[32], bytes public_key, u8 out[64]);

#endif
