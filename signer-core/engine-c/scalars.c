#include "scalars.h"
#include "wipe.h"
#include "inner.h"

const u8 ORDER_SECP256K1[SCALAR_BYTES] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
};
const u8 ORDER_P256[SCALAR_BYTES] = {
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
};

/** A word with the length, then 256 bits in words of 31. */
typedef u32 number[10];

int scalar_is_valid(const u8 order[SCALAR_BYTES], const u8 scalar[SCALAR_BYTES]) {
    number n, value;
    br_i31_decode(n, order, SCALAR_BYTES);
    u32 below = br_i31_decode_mod(value, scalar, SCALAR_BYTES, n);
    u32 zero = br_i31_iszero(value);
    wipe(value, sizeof value);
    return (int)(below & (zero ^ 1));
}

void scalar_from_wide(const u8 order[SCALAR_BYTES], const u8 wide[WIDE_BYTES], u8 out[SCALAR_BYTES]) {
    number less_one, value;
    u8 order_less_one[SCALAR_BYTES];
    memcpy(order_less_one, order, SCALAR_BYTES);
    // The order is odd.
    order_less_one[SCALAR_BYTES - 1]--;
    br_i31_decode(less_one, order_less_one, SCALAR_BYTES);
    br_i31_decode_reduce(value, wide, WIDE_BYTES, less_one);
    br_i31_encode(out, SCALAR_BYTES, value);
    u32 carry = 1;
    for (int i = SCALAR_BYTES - 1; i >= 0; i--) {
        carry += out[i];
        out[i] = (u8)carry;
        carry >>= 8;
    }
    wipe(value, sizeof value);
}

void scalar_reduce(const u8 order[SCALAR_BYTES], const u8 number_bytes[SCALAR_BYTES], u8 out[SCALAR_BYTES]) {
    number n, value;
    br_i31_decode(n, order, SCALAR_BYTES);
    br_i31_decode_reduce(value, number_bytes, SCALAR_BYTES, n);
    br_i31_encode(out, SCALAR_BYTES, value);
    wipe(value, sizeof value);
}

int scalar_add(const u8 order[SCALAR_BYTES], const u8 a[SCALAR_BYTES], const u8 b[SCALAR_BYTES], u8 out[SCALAR_BYTES]) {
    number n, sum, addend;
    br_i31_decode(n, order, SCALAR_BYTES);
    u32 below = br_i31_decode_mod(sum, a, SCALAR_BYTES, n) & br_i31_decode_mod(addend, b, SCALAR_BYTES, n);
    // Nine words of 31 bits hold the sum without a carry.
    br_i31_add(sum, addend, 1);
    u32 less = br_i31_sub(sum, n, 0);
    br_i31_sub(sum, n, less ^ 1);
    br_i31_encode(out, SCALAR_BYTES, sum);
    u32 zero = br_i31_iszero(sum);
    wipe(sum, sizeof sum);
    wipe(addend, sizeof addend);
    return (int)(below & (zero ^ 1));
}

void scalar_make_low(const u8 order[SCALAR_BYTES], u8 scalar[SCALAR_BYTES]) {
    number value, negated;
    br_i31_decode(negated, order, SCALAR_BYTES);
    br_i31_decode(value, scalar, SCALAR_BYTES);
    value[0] = negated[0];
    br_i31_sub(negated, value, 1);
    // Compares: 1 when negated < value.
    if (br_i31_sub(negated, value, 0)) br_i31_encode(scalar, SCALAR_BYTES, negated);
}
