/**
 * A secret at rest: version, 12-byte nonce, AES-256-GCM of the secret bytes, 16-byte tag. The additional data names
 * everything the secret is bound to, so that a blob opens only as what it was sealed as.
 */
#ifndef KEYSTEAD_SEALING_H
#define KEYSTEAD_SEALING_H

#include "bytes.h"

/** What a sealed secret is, and whose. */
typedef struct {
    bytes purpose;
    /** Name of the curve; empty for a wallet, whose seed serves all of them. */
    bytes curve;
    /** Empty for a wallet. */
    bytes public_key;
    bytes binding;
} seal_identity;

/** @param out Sealed, in the arena. @return OK or NO_DATA_KEY. */
status seal(bytes secret, const seal_identity *identity, bytes *out);

/** @param secret In the arena; the caller wipes it after use. @return OK, NO_DATA_KEY or BAD_SEAL. */
status unseal(bytes sealed, const seal_identity *identity, bytes *secret);

#endif
