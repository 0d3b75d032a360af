/** BIP-39 with the English word list. */
#ifndef KEYSTEAD_BIP39_H
#define KEYSTEAD_BIP39_H

#include "bytes.h"

#define WORDS_MAX 24
/** Longest word, and its end. */
#define WORD_BYTES 9
#define WORD_LETTERS_MAX (WORD_BYTES - 1)
#define MNEMONIC_BYTES_MAX (WORDS_MAX * WORD_BYTES)
#define BIP39_ENTROPY_BYTES_MAX 32

/** Made by the build from the package that the reference engine reads. */
extern const char ENGLISH_WORDS[2048][WORD_BYTES];

/** Length of the entropy for 12, 15, 18, 21 or 24 words; 0 for any other number. */
size_t bip39_entropy_length(u32 words);

/** @param entropy Of a length that bip39_entropy_length knows. @return length of the text. */
size_t bip39_mnemonic(bytes entropy, u8 out[MNEMONIC_BYTES_MAX]);

/** @return length of the entropy; 0 when the text is no English mnemonic. */
size_t bip39_entropy(bytes text, u8 out[BIP39_ENTROPY_BYTES_MAX]);

#endif
