/** Child keys of a seed: BIP-32 for secp256k1, SLIP-10 for ed25519 and P-256. */
#ifndef KEYSTEAD_DERIVATION_H
#define KEYSTEAD_DERIVATION_H

#include "curves.h"

#define HARDENED 0x80000000u

/** @param path One number per level. @return OK, or BAD_INPUT for a level that is not hardened on ed25519. */
status derive_secret(bytes seed, curve which, const u32 *path, size_t levels, u8 out[SECRET_BYTES]);

#endif
