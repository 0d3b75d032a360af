import { wordlist } from '@scure/bip39/wordlists/english.js'

/** Longest word of the English list, and its end. */
const WORD_BYTES = 9

/** The English list of BIP-39 as a C header; the reference engine reads the same package. */
export function wordListHeader(): string {
  if (wordlist.length !== 2048 || wordlist.some((word) => !/^[a-z]{3,8}$/.test(word))) {
    throw new Error('not the English word list of BIP-39')
  }
  const rows = wordlist.map((word) => `    "${word}",`)
  return `#include "bip39.h"\n\nconst char ENGLISH_WORDS[2048][${WORD_BYTES}] = {\n${rows.join('\n')}\n};\n`
}
