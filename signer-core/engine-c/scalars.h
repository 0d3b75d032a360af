/** Whole numbers modulo the order n of a curve, as 32 big-endian bytes. In constant time, on BearSSL's i31 integers. */
#ifndef KEYSTEAD_SCALARS_H
#define KEYSTEAD_SCALARS_H

#include "bytes.h"

#define SCALAR_BYTES 32
/** Enough for a scalar whose bias is below 2^-128 (FIPS 186-5, A.2.1). */
#define WIDE_BYTES 48

/** SEC 2, version 2: section 2.4.1 and 2.4.2. */
extern const u8 ORDER_SECP256K1[SCALAR_BYTES], ORDER_P256[SCALAR_BYTES];

/** 1 when 0 < scalar < n. */
int scalar_is_valid(const u8 order[SCALAR_BYTES], const u8 scalar[SCALAR_BYTES]);

/** wide mod (n - 1) + 1: a secret key out of random bytes. */
void scalar_from_wide(const u8 order[SCALAR_BYTES], const u8 wide[WIDE_BYTES], u8 out[SCALAR_BYTES]);

/** number mod n, for numbers of any size below 2^256. */
void scalar_reduce(const u8 order[SCALAR_BYTES], const u8 number[SCALAR_BYTES], u8 out[SCALAR_BYTES]);

/** a + b mod n. @return 0 when b is not below n or the sum is zero; `out` is then of no use. */
int scalar_add(const u8 order[SCALAR_BYTES], const u8 a[SCALAR_BYTES], const u8 b[SCALAR_BYTES], u8 out[SCALAR_BYTES]);

/** The lower one of scalar and n - scalar. Not in constant time: for signatures, which are public. */
void scalar_make_low(const u8 order[SCALAR_BYTES], u8 scalar[SCALAR_BYTES]);

#endif
