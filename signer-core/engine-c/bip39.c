/**
 * A mnemonic is 11 bits per word: the entropy, then as many bits of its SHA-256 as it has 32-bit words. Words are looked
 * up by walking the whole list, so that memory is touched in the same way whatever the word is.
 */
#include "bip39.h"
#include "hashes.h"
#include "wipe.h"

#define LIST_LENGTH 2048
#define WORD_BITS 11
/** Entropy and checksum, and two bytes more for reading the last word. */
#define BITS_BYTES (BIP39_ENTROPY_BYTES_MAX + 1 + 2)

size_t bip39_entropy_length(u32 words) {
    return words >= 12 && words <= WORDS_MAX && words % 3 == 0 ? words * 4 / 3 : 0;
}

/** All ones when equal, else 0. */
static u32 mask_of_equal(u32 a, u32 b) {
    u32 difference = a ^ b;
    return ((difference | (0u - difference)) >> 31) - 1;
}

static u32 read_word(const u8 *bits, size_t word) {
    size_t at = word * WORD_BITS;
    const u8 *byte = bits + at / 8;
    u32 window = (u32)byte[0] << 16 | (u32)byte[1] << 8 | byte[2];
    return window >> (24 - WORD_BITS - at % 8) & (LIST_LENGTH - 1);
}

static void write_word(u8 *bits, size_t word, u32 index) {
    size_t at = word * WORD_BITS;
    u8 *byte = bits + at / 8;
    u32 window = index << (24 - WORD_BITS - at % 8);
    byte[0] |= (u8)(window >> 16);
    byte[1] |= (u8)(window >> 8);
    byte[2] |= (u8)window;
}

static void copy_word(u32 index, u8 out[WORD_BYTES]) {
    memset(out, 0, WORD_BYTES);
    for (u32 row = 0; row < LIST_LENGTH; row++) {
        u32 mask = mask_of_equal(row, index);
        for (int i = 0; i < WORD_BYTES; i++) out[i] |= (u8)mask & (u8)ENGLISH_WORDS[row][i];
    }
}

/** @return index, or LIST_LENGTH when there is no such word. */
static u32 find_word(const u8 word[WORD_BYTES]) {
    u32 found = LIST_LENGTH;
    for (u32 row = 0; row < LIST_LENGTH; row++) {
        u32 difference = 0;
        for (int i = 0; i < WORD_BYTES; i++) difference |= (u32)(word[i] ^ (u8)ENGLISH_WORDS[row][i]);
        u32 mask = mask_of_equal(difference, 0);
        found = (found & ~mask) | (row & mask);
    }
    return found;
}

size_t bip39_mnemonic(bytes entropy, u8 out[MNEMONIC_BYTES_MAX]) {
    u8 bits[BITS_BYTES] = {0}, digest[32], word[WORD_BYTES];
    size_t words = entropy.length * 3 / 4, length = 0;
    memcpy(bits, entropy.at, entropy.length);
    sha256(entropy, digest);
    bits[entropy.length] = digest[0];
    for (size_t i = 0; i < words; i++) {
        copy_word(read_word(bits, i), word);
        if (i > 0) out[length++] = ' ';
        for (int letter = 0; word[letter] != 0; letter++) out[length++] = word[letter];
    }
    wipe(bits, sizeof bits);
    wipe(digest, sizeof digest);
    wipe(word, sizeof word);
    return length;
}

/** Takes the letters up to the next space or the end. @return 0 when there are none, or too many. */
static int next_word(bytes *text, u8 out[WORD_BYTES]) {
    size_t letters = 0;
    memset(out, 0, WORD_BYTES);
    while (letters < text->length && text->at[letters] != ' ') {
        if (letters == WORD_LETTERS_MAX) return 0;
        out[letters] = text->at[letters];
        letters++;
    }
    // A space after it belongs to it; at the end of the text it leaves an empty word, which is refused.
    size_t taken = letters < text->length ? letters + 1 : letters;
    if (taken > letters && taken == text->length) return 0;
    text->at += taken;
    text->length -= taken;
    return letters > 0;
}

size_t bip39_entropy(bytes text, u8 out[BIP39_ENTROPY_BYTES_MAX]) {
    u8 bits[BITS_BYTES] = {0}, digest[32], word[WORD_BYTES];
    u32 words = 0, known = 1;
    while (text.length > 0 && known) {
        known = words < WORDS_MAX && next_word(&text, word);
        u32 index = known ? find_word(word) : LIST_LENGTH;
        known = known && index < LIST_LENGTH;
        if (known) write_word(bits, words++, index);
    }
    size_t length = known ? bip39_entropy_length(words) : 0;
    if (length > 0) {
        sha256((bytes){bits, length}, digest);
        u8 checksum_mask = (u8)(0xff << (8 - words / 3));
        if (((bits[length] ^ digest[0]) & checksum_mask) != 0) length = 0;
        memcpy(out, bits, length);
    }
    wipe(bits, sizeof bits);
    wipe(digest, sizeof digest);
    wipe(word, sizeof word);
    return length;
}
