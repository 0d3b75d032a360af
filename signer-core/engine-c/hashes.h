/** Hashes and what is made of them. SHA-2, HMAC and HKDF are BearSSL's, BLAKE2b libsodium's. */
#ifndef KEYSTEAD_HASHES_H
#define KEYSTEAD_HASHES_H

#include "bytes.h"

/** WIT enum `hash`, in its order. */
typedef enum { SHA256, SHA512, KECCAK256, SHA3_256, RIPEMD160, BLAKE2B256, HASHES } hash;

/** Longest digest. */
#define DIGEST_BYTES_MAX 64

/** @return length of the digest in bytes. */
size_t digest_of(hash algorithm, bytes data, u8 out[DIGEST_BYTES_MAX]);

void sha256(bytes data, u8 out[32]);

/** FIPS 202 sponge with a rate of 136 bytes. @param padding 0x01: keccak-256 as Ethereum uses it, 0x06: SHA3-256. */
void keccak_256(u8 padding, bytes data, u8 out[32]);
void ripemd160(bytes data, u8 out[20]);

/** RFC 2104 over the parts one after the other. */
void hmac_sha256(bytes key, const bytes *parts, size_t count, u8 out[32]);
void hmac_sha512(bytes key, const bytes *parts, size_t count, u8 out[64]);

/** RFC 5869 without salt. */
void hkdf_sha256(bytes input, bytes info, u8 *out, size_t length);

/** RFC 8018 PBKDF2 with HMAC-SHA512, one block. */
void pbkdf2_sha512(bytes password, bytes salt, u32 rounds, u8 out[64]);

#endif
