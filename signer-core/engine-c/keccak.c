/** Keccak-f[1600] as in FIPS 202, section 3. Lane (x, y) of the state is state[x + 5 y]. */
#include "hashes.h"
#include "wipe.h"

#define ROUNDS 24
#define LANES 25
#define RATE_BYTES 136

/** Section 3.2.5, the constants that iota adds. */
static const u64 ROUND_CONSTANTS[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

/** Section 3.2.2, table 2: by how much rho turns each lane, modulo 64. */
static const u8 TURNS[LANES] = {
    0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
};

static inline u64 turn(u64 lane, u32 bits) {
    return bits == 0 ? lane : lane << bits | lane >> (64 - bits);
}

static void theta(u64 state[LANES]) {
    u64 columns[5];
    for (int x = 0; x < 5; x++) columns[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    for (int x = 0; x < 5; x++) {
        u64 mixed = columns[(x + 4) % 5] ^ turn(columns[(x + 1) % 5], 1);
        for (int y = 0; y < 5; y++) state[x + 5 * y] ^= mixed;
    }
}

/** Rho turns the lanes, pi moves lane (x, y) to (y, 2x + 3y). */
static void rho_and_pi(const u64 state[LANES], u64 moved[LANES]) {
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) moved[y + 5 * ((2 * x + 3 * y) % 5)] = turn(state[x + 5 * y], TURNS[x + 5 * y]);
    }
}

static void chi(const u64 moved[LANES], u64 state[LANES]) {
    for (int y = 0; y < 25; y += 5) {
        for (int x = 0; x < 5; x++) state[y + x] = moved[y + x] ^ (~moved[y + (x + 1) % 5] & moved[y + (x + 2) % 5]);
    }
}

static void permute(u64 state[LANES]) {
    u64 moved[LANES];
    for (int round = 0; round < ROUNDS; round++) {
        theta(state);
        rho_and_pi(state, moved);
        chi(moved, state);
        state[0] ^= ROUND_CONSTANTS[round];
    }
}

/** WebAssembly is little-endian, as the standard's lanes are. */
static void absorb(u64 state[LANES], const u8 block[RATE_BYTES]) {
    for (size_t i = 0; i < RATE_BYTES / 8; i++) {
        u64 lane;
        memcpy(&lane, block + 8 * i, sizeof lane);
        state[i] ^= lane;
    }
    permute(state);
}

void keccak_256(u8 padding, bytes data, u8 out[32]) {
    u64 state[LANES] = {0};
    u8 last[RATE_BYTES] = {0};
    for (; data.length >= RATE_BYTES; data.at += RATE_BYTES, data.length -= RATE_BYTES) absorb(state, data.at);
    if (data.length > 0) memcpy(last, data.at, data.length);
    last[data.length] = padding;
    last[RATE_BYTES - 1] |= 0x80;
    absorb(state, last);
    memcpy(out, state, 32);
    wipe(state, sizeof state);
    wipe(last, sizeof last);
}
