#include "curve-p256.h"
#include "scalars.h"
#include "wipe.h"
#include "inner.h"

#define UNCOMPRESSED_BYTES 65
#define COMPRESSED_BYTES 33
#define COORDINATE_BYTES 32

/** SEC 2, version 2, section 2.4.2: prime of the field and coefficient b. */
static const u8 PRIME[COORDINATE_BYTES] = {
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};
static const u8 B[COORDINATE_BYTES] = {
    0x5a, 0xc6, 0x35, 0xd8, 0xaa, 0x3a, 0x93, 0xe7, 0xb3, 0xeb, 0xbd, 0x55, 0x76, 0x98, 0x86, 0xbc,
    0x65, 0x1d, 0x06, 0xb0, 0xcc, 0x53, 0xb0, 0xf6, 0x3b, 0xce, 0x3c, 0x3e, 0x27, 0xd2, 0x60, 0x4b,
};
/** (p + 1) / 4: a square's root is its power, because p = 3 mod 4. */
static const u8 ROOT_EXPONENT[COORDINATE_BYTES] = {
    0x3f, 0xff, 0xff, 0xff, 0xc0, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};

/** A word with the length, then 256 bits in words of 31. */
typedef u32 number[10];

void p256_public_key(const u8 secret[32], u8 out[65]) {
    br_ec_p256_m31.mulgen(out, secret, SCALAR_BYTES, BR_EC_secp256r1);
}

status p256_shared_x(const u8 secret[32], const u8 point[65], u8 out[32]) {
    u8 product[UNCOMPRESSED_BYTES];
    memcpy(product, point, sizeof product);
    u32 on_curve = br_ec_p256_m31.mul(product, sizeof product, secret, SCALAR_BYTES, BR_EC_secp256r1);
    memcpy(out, product + 1, COORDINATE_BYTES);
    wipe(product, sizeof product);
    return on_curve ? OK : BAD_INPUT;
}

/** Both below the modulus. The sum may be the same variable. */
static void add(number sum, const number addend, const number modulus) {
    br_i31_add(sum, addend, 1);
    if (!br_i31_sub(sum, modulus, 0)) br_i31_sub(sum, modulus, 1);
}

static void subtract(number difference, const number subtrahend, const number modulus) {
    if (br_i31_sub(difference, subtrahend, 1)) br_i31_add(difference, modulus, 1);
}

/** y with the asked-for parity from y^2 = x^3 - 3x + b. For an x that no point has, it is just some number. */
static void root_of(const u8 x_bytes[COORDINATE_BYTES], u32 odd, u8 out[COORDINATE_BYTES]) {
    number p, x, y, square, t1, t2;
    br_i31_decode(p, PRIME, sizeof PRIME);
    u32 p0i = br_i31_ninv31(p[1]);
    br_i31_decode_reduce(x, x_bytes, COORDINATE_BYTES, p);
    // x and b in Montgomery form, so that products stay in it.
    br_i31_to_monty(x, p);
    br_i31_montymul(t1, x, x, p, p0i);
    br_i31_montymul(square, t1, x, p, p0i);
    for (int i = 0; i < 3; i++) subtract(square, x, p);
    br_i31_decode_mod(y, B, sizeof B, p);
    br_i31_to_monty(y, p);
    add(square, y, p);
    br_i31_from_monty(square, p, p0i);
    br_i31_modpow(square, ROOT_EXPONENT, sizeof ROOT_EXPONENT, p, p0i, t1, t2);
    if ((square[1] & 1) != odd) {
        memcpy(t1, p, sizeof t1);
        br_i31_sub(t1, square, 1);
        memcpy(square, t1, sizeof t1);
    }
    br_i31_encode(out, COORDINATE_BYTES, square);
}

status p256_uncompress(bytes point, u8 out[65]) {
    if (point.length == UNCOMPRESSED_BYTES) {
        memcpy(out, point.at, UNCOMPRESSED_BYTES);
        return OK;
    }
    if (point.length != COMPRESSED_BYTES || (point.at[0] & 0xfe) != 2) return BAD_INPUT;
    out[0] = 4;
    memcpy(out + 1, point.at + 1, COORDINATE_BYTES);
    root_of(point.at + 1, point.at[0] & 1, out + 1 + COORDINATE_BYTES);
    return OK;
}

/** point = a point + b G, for a not 0. @return whether the point was on the curve and the sum is one, too. */
static u32 add_products(u8 point[UNCOMPRESSED_BYTES], const u8 a[SCALAR_BYTES], const u8 b[SCALAR_BYTES]) {
    static const u8 ZERO[SCALAR_BYTES];
    // BearSSL's sum of two products is wrong where one of them is the point at infinity: a digest of zeros.
    if (memcmp(b, ZERO, sizeof ZERO) == 0) {
        return br_ec_p256_m31.mul(point, UNCOMPRESSED_BYTES, a, SCALAR_BYTES, BR_EC_secp256r1);
    }
    return br_ec_p256_m31.muladd(point, NULL, UNCOMPRESSED_BYTES, a, SCALAR_BYTES, b, SCALAR_BYTES, BR_EC_secp256r1);
}

/**
 * Verifies (SEC 1, section 4.1.4) and finds which of the points with this r it was.
 *
 * @return 0 to 3: bit 0 the parity of its y, bit 1 whether its x was not below n; -1 when it does not verify.
 */
static int recovery_id(const u8 digest[32], const u8 public_key[65], const u8 signature[64]) {
    number n, r, s, e, x, inverse = {0}, product, scratch[3];
    u8 u1[SCALAR_BYTES], u2[SCALAR_BYTES], point[UNCOMPRESSED_BYTES];
    br_i31_decode(n, ORDER_P256, SCALAR_BYTES);
    u32 n0i = br_i31_ninv31(n[1]);
    if (!br_i31_decode_mod(r, signature, SCALAR_BYTES, n) || br_i31_iszero(r)) return -1;
    if (!br_i31_decode_mod(s, signature + SCALAR_BYTES, SCALAR_BYTES, n) || br_i31_iszero(s)) return -1;
    inverse[0] = n[0];
    inverse[1] = 1;
    if (!br_i31_moddiv(inverse, s, n, n0i, scratch[0])) return -1;
    // The Montgomery product of one factor in that form and one that is not is the product itself.
    br_i31_to_monty(inverse, n);
    br_i31_decode_reduce(e, digest, 32, n);
    br_i31_montymul(product, e, inverse, n, n0i);
    br_i31_encode(u1, SCALAR_BYTES, product);
    br_i31_montymul(product, r, inverse, n, n0i);
    br_i31_encode(u2, SCALAR_BYTES, product);
    memcpy(point, public_key, sizeof point);
    if (!add_products(point, u2, u1)) return -1;
    br_i31_decode_reduce(x, point + 1, COORDINATE_BYTES, n);
    br_i31_sub(x, r, 1);
    if (!br_i31_iszero(x)) return -1;
    int is_above_order = memcmp(point + 1, ORDER_P256, COORDINATE_BYTES) >= 0;
    return (is_above_order << 1) | (point[UNCOMPRESSED_BYTES - 1] & 1);
}

int p256_sign(const u8 digest[32], const u8 secret[32], bytes public_key, u8 out[65]) {
    u8 key_bytes[SCALAR_BYTES];
    memcpy(key_bytes, secret, sizeof key_bytes);
    br_ec_private_key key = {BR_EC_secp256r1, key_bytes, sizeof key_bytes};
    size_t length = br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, digest, &key, out + 1);
    wipe(key_bytes, sizeof key_bytes);
    if (length != 64 || public_key.length != UNCOMPRESSED_BYTES) return 0;
    scalar_make_low(ORDER_P256, out + 1 + SCALAR_BYTES);
    int id = recovery_id(digest, public_key.at, out + 1);
    out[0] = (u8)id;
    return id >= 0;
}
