/** The three curves behind one shape. */
#ifndef KEYSTEAD_CURVES_H
#define KEYSTEAD_CURVES_H

#include "bytes.h"

/** WIT enum `curve`, in its order. */
typedef enum { SECP256K1, ED25519, P256, CURVES } curve;
/** WIT enum `scheme`, in its order. */
typedef enum { ECDSA, EDDSA, BIP340, BIP340_TAPROOT, SCHEMES } scheme;

#define SECRET_BYTES 32
#define PUBLIC_KEY_BYTES_MAX 65
#define SIGNATURE_BYTES_MAX 65

/** As it stands in the additional data of sealed keys. */
bytes curve_name(curve which);

/** Order of a curve whose secret keys are scalars. NULL: ed25519, where any 32 bytes are a key. */
const u8 *curve_order(curve which);

void curve_draw_secret(curve which, u8 out[SECRET_BYTES]);
int curve_is_secret(curve which, const u8 secret[SECRET_BYTES]);

/** SEC 1 uncompressed, or the 32 bytes of RFC 8032. @return length. */
size_t curve_public_key(curve which, const u8 secret[SECRET_BYTES], u8 out[PUBLIC_KEY_BYTES_MAX]);

/**
 * Traps when the public key does not verify what was signed: a computing fault in a deterministic signature could give
 * the key away.
 *
 * @return OK, or BAD_INPUT when scheme, curve and message do not fit.
 */
status curve_sign(curve which, scheme how, bytes public_key, const u8 secret[SECRET_BYTES], bytes message,
                  u8 out[SIGNATURE_BYTES_MAX], size_t *length);

#endif
