/**
 * RFC 9180, base mode, single shot: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Info and additional data are
 * those of the wire's bundles.
 */
#ifndef KEYSTEAD_HPKE_H
#define KEYSTEAD_HPKE_H

#include "bytes.h"

typedef struct {
    bytes encapsulated;
    bytes ciphertext;
} parcel;

/** @param out In the arena. @return OK, or BAD_INPUT when the recipient is no point of P-256. */
status hpke_seal(bytes recipient, bytes plaintext, parcel *out);

/** @param plaintext In the arena; the caller wipes it after use. @return OK, BAD_INPUT or BAD_SEAL. */
status hpke_open(const u8 secret[32], bytes public_key, const parcel *sealed, bytes *plaintext);

#endif
