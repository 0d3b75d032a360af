/**
 * BIP-39 wallets: English word list, no passphrase. Entropy and seed are sealed together, because the seed costs 2048
 * rounds of PBKDF2 and every derivation needs it. Faults as in engine.wit.
 */
#ifndef KEYSTEAD_WALLETS_H
#define KEYSTEAD_WALLETS_H

#include "hpke.h"
#include "keys.h"

typedef struct {
    bytes sealed;
    bytes binding;
} sealed_wallet;

status wallet_generate(u32 words, bytes binding, bytes *sealed);
status wallet_derive(const sealed_wallet *wallet, curve which, const u32 *path, size_t levels, bytes key_binding,
                     fresh_key *out);
status wallet_export(const sealed_wallet *wallet, bytes recipient, parcel *out);
status wallet_import(const sealed_key *target, const parcel *sealed_mnemonic, bytes binding, bytes *sealed);

#endif
