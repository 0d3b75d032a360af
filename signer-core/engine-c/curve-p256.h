/** P-256 on BearSSL. */
#ifndef KEYSTEAD_CURVE_P256_H
#define KEYSTEAD_CURVE_P256_H

#include "bytes.h"

/** SEC 1, uncompressed. @param secret Valid. */
void p256_public_key(const u8 secret[32], u8 out[65]);

/** Recovery id, r, s; RFC 6979, low s. @return whether its public key verifies it. */
int p256_sign(const u8 digest[32], const u8 secret[32], bytes public_key, u8 out[65]);

/** A point in either form of SEC 1 as uncompressed. Whether it lies on the curve p256_shared_x says. */
status p256_uncompress(bytes point, u8 out[65]);

/** x coordinate of secret times point. @return OK, or BAD_INPUT when the point is not on the curve. */
status p256_shared_x(const u8 secret[32], const u8 point[65], u8 out[32]);

#endif
