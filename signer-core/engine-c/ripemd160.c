/** RIPEMD-160 after Dobbertin, Bosselaers and Preneel, "RIPEMD-160: A Strengthened Version of RIPEMD" (1996), appendix A. */
#include "hashes.h"

#define STEPS 80
#define BLOCK_BYTES 64

/** Which word of the block each step takes, left and right line. */
static const u8 WORDS[2][STEPS] = {
    {0, 1, 2,  3,  4,  5,  6, 7,  8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1,  10, 6, 15, 3,  12, 0, 9,
     5, 2, 14, 11, 8,  3,  10, 14, 4, 9, 15, 8, 1,  2,  7,  0,  6, 13, 11, 5, 12, 1, 9,  11, 10, 0, 8,
     12, 4, 13, 3, 7,  15, 14, 5, 6, 2, 4,  0,  5,  9,  7,  12, 2, 10, 14, 1, 3,  8, 11, 6,  15, 13},
    {5, 14, 7,  0,  9, 2,  11, 4,  13, 6,  15, 8, 1,  10, 3,  12, 6, 11, 3,  7, 0,  13, 5,  10, 14, 15, 8,
     12, 4, 9,  1,  2, 15, 5,  1,  3,  7,  14, 6, 9,  11, 8,  12, 2, 10, 0,  4, 13, 8,  6,  4,  1,  3,  11,
     15, 0, 5,  12, 2, 13, 9,  7,  10, 14, 12, 15, 10, 4, 1,  5,  8, 7,  6,  2, 13, 14, 0,  3,  9,  11},
};

/** By how many bits each step turns. */
static const u8 TURNS[2][STEPS] = {
    {11, 14, 15, 12, 5,  8,  7,  9,  11, 13, 14, 15, 6,  7,  9,  8,  7,  6,  8,  13, 11, 9,  7,  15, 7,  12, 15,
     9,  11, 7,  13, 12, 11, 13, 6,  7,  14, 9,  13, 15, 14, 8,  13, 6,  5,  12, 7,  5,  11, 12, 14, 15, 14, 15,
     9,  8,  9,  14, 5,  6,  8,  6,  5,  12, 9,  15, 5,  11, 6,  8,  13, 12, 5,  12, 13, 14, 11, 8,  5,  6},
    {8,  9,  9,  11, 13, 15, 15, 5,  7,  7,  8,  11, 14, 14, 12, 6,  9,  13, 15, 7,  12, 8,  9,  11, 7,  7,  12,
     7,  6,  15, 13, 11, 9,  7,  15, 11, 8,  6,  6,  14, 12, 13, 5,  14, 13, 13, 7,  5,  15, 5,  8,  11, 14, 14,
     6,  14, 6,  9,  12, 9,  12, 5,  15, 8,  8,  5,  12, 9,  12, 5,  14, 6,  8,  13, 6,  5,  15, 13, 11, 11},
};

static const u32 CONSTANTS[2][5] = {
    {0x00000000, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e},
    {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0x00000000},
};

static inline u32 turn(u32 word, u32 bits) {
    return word << bits | word >> (32 - bits);
}

static u32 mix(int function, u32 x, u32 y, u32 z) {
    switch (function) {
    case 0:
        return x ^ y ^ z;
    case 1:
        return (x & y) | (~x & z);
    case 2:
        return (x | ~y) ^ z;
    case 3:
        return (x & z) | (y & ~z);
    default:
        return x ^ (y | ~z);
    }
}

static void line(int side, const u32 block[16], const u32 chain[5], u32 out[5]) {
    u32 a = chain[0], b = chain[1], c = chain[2], d = chain[3], e = chain[4];
    for (int step = 0; step < STEPS; step++) {
        int round = step / 16;
        u32 mixed = a + mix(side == 0 ? round : 4 - round, b, c, d);
        u32 next = turn(mixed + block[WORDS[side][step]] + CONSTANTS[side][round], TURNS[side][step]) + e;
        a = e;
        e = d;
        d = turn(c, 10);
        c = b;
        b = next;
    }
    out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e;
}

static void compress(u32 chain[5], const u8 bytes_of_block[BLOCK_BYTES]) {
    u32 block[16], left[5], right[5];
    // Both are little-endian.
    memcpy(block, bytes_of_block, sizeof block);
    line(0, block, chain, left);
    line(1, block, chain, right);
    u32 first = chain[1] + left[2] + right[3];
    chain[1] = chain[2] + left[3] + right[4];
    chain[2] = chain[3] + left[4] + right[0];
    chain[3] = chain[4] + left[0] + right[1];
    chain[4] = chain[0] + left[1] + right[2];
    chain[0] = first;
}

void ripemd160(bytes data, u8 out[20]) {
    u32 chain[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    u64 length_bits = (u64)data.length * 8;
    u8 last[2 * BLOCK_BYTES] = {0};
    for (; data.length >= BLOCK_BYTES; data.at += BLOCK_BYTES, data.length -= BLOCK_BYTES) compress(chain, data.at);
    if (data.length > 0) memcpy(last, data.at, data.length);
    last[data.length] = 0x80;
    size_t padded = data.length < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    memcpy(last + padded - 8, &length_bits, sizeof length_bits);
    for (size_t at = 0; at < padded; at += BLOCK_BYTES) compress(chain, last + at);
    memcpy(out, chain, 20);
}
