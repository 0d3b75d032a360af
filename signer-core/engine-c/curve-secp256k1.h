/** secp256k1 on libsecp256k1. */
#ifndef KEYSTEAD_CURVE_SECP256K1_H
#define KEYSTEAD_CURVE_SECP256K1_H

#include "bytes.h"

/** Sets up what signing needs. @param seed Blinds the multiplications (fresh for every instance). */
void secp256k1_start(const u8 seed[32]);

/** SEC 1, uncompressed. @param secret Valid. */
void secp256k1_public_key(const u8 secret[32], u8 out[65]);

/** Recovery id, r, s; RFC 6979, low s. @return whether its public key verifies it. */
int secp256k1_sign_ecdsa(const u8 digest[32], const u8 secret[32], bytes public_key, u8 out[65]);

/** BIP-340 with zero auxiliary randomness. @return whether the public key verifies it. */
int secp256k1_sign_bip340(const u8 message[32], const u8 secret[32], bytes public_key, u8 out[64]);

/** The same with the key that BIP-341 makes of this one for an empty script tree. */
int secp256k1_sign_taproot(const u8 message[32], const u8 secret[32], bytes public_key, u8 out[64]);

/** x coordinate of that tweaked key. @return OK or BAD_INPUT when the public key is no uncompressed point. */
status secp256k1_output_key(bytes public_key, u8 out[32]);

#endif
