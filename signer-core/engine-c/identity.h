/** The signer's own P-256 key, the same in every host, and the notary's seals; both come from the data key. */
#ifndef KEYSTEAD_IDENTITY_H
#define KEYSTEAD_IDENTITY_H

#include "sub-keys.h"

#define NOTARY_SEAL_BYTES 32

/** Uncompressed. @return OK or NO_DATA_KEY. */
status identity_public_key(u8 out[65]);

/** DER (RFC 3279) of ECDSA over SHA-256. @param out 72 bytes at most. @return OK or NO_DATA_KEY. */
status identity_attest(bytes data, u8 out[72], size_t *length);

/** HMAC-SHA256 under the purpose's sub-key. @return OK or NO_DATA_KEY. */
status notarize(purpose which, bytes text, u8 out[NOTARY_SEAL_BYTES]);

#endif
