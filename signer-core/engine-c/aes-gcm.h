/** AES-256-GCM (NIST SP 800-38D) in place, on BearSSL's bitsliced AES and multiplied-out GHASH: no tables. */
#ifndef KEYSTEAD_AES_GCM_H
#define KEYSTEAD_AES_GCM_H

#include "bytes.h"

#define GCM_KEY_BYTES 32
#define GCM_NONCE_BYTES 12
#define GCM_TAG_BYTES 16

/** @param additional Authenticated, one part after the other. */
void gcm_seal(const u8 key[GCM_KEY_BYTES], const u8 nonce[GCM_NONCE_BYTES], const bytes *additional, size_t count, u8 *data,
              size_t length, u8 tag[GCM_TAG_BYTES]);

/** @return 1 when the tag fits, compared in constant time; else 0, and the data is overwritten. */
int gcm_open(const u8 key[GCM_KEY_BYTES], const u8 nonce[GCM_NONCE_BYTES], const bytes *additional, size_t count, u8 *data,
             size_t length, const u8 tag[GCM_TAG_BYTES]);

#endif
