/**
 * The data key encrypts nothing itself: HKDF-SHA256 gives one sub-key per purpose, and the data key is forgotten. The
 * info strings (sub-keys.c) are part of the format: changing one makes everything sealed unreadable.
 */
#ifndef KEYSTEAD_SUB_KEYS_H
#define KEYSTEAD_SUB_KEYS_H

#include "bytes.h"

/** The notaries' are in the order of the WIT enum `notary-purpose`. */
typedef enum { FOR_ORGANIZATION, FOR_EVALUATION, FOR_KEY, NOTARY_PURPOSES, FOR_SEALED_KEY = NOTARY_PURPOSES, FOR_IDENTITY, PURPOSES } purpose;

#define DATA_KEY_BYTES 32

int sub_keys_loaded(void);
void sub_keys_load(const u8 data_key[DATA_KEY_BYTES]);
void sub_keys_wipe(void);

/** 32 bytes, for the identity 48. @return NO_DATA_KEY before load and after wipe. */
status sub_key(purpose which, bytes *out);

#endif
