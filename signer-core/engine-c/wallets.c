#include "wallets.h"
#include "bip39.h"
#include "entropy.h"
#include "hashes.h"
#include "sealing.h"
#include "wipe.h"

#define SEED_BYTES 64
#define PBKDF2_ROUNDS 2048

static seal_identity identity_of(bytes binding) {
    return (seal_identity){TEXT("wallet"), NO_BYTES, NO_BYTES, binding};
}

/** Seals the seed and the entropy that it comes from. */
static status keep(bytes entropy, bytes binding, bytes *sealed) {
    u8 mnemonic[MNEMONIC_BYTES_MAX], secret[SEED_BYTES + BIP39_ENTROPY_BYTES_MAX];
    size_t length = bip39_mnemonic(entropy, mnemonic);
    pbkdf2_sha512((bytes){mnemonic, length}, TEXT("mnemonic"), PBKDF2_ROUNDS, secret);
    memcpy(secret + SEED_BYTES, entropy.at, entropy.length);
    seal_identity identity = identity_of(binding);
    status answer = seal((bytes){secret, SEED_BYTES + entropy.length}, &identity, sealed);
    wipe(mnemonic, sizeof mnemonic);
    wipe(secret, sizeof secret);
    return answer;
}

/** Seed and entropy in the arena; the caller wipes them. */
static status open_wallet(const sealed_wallet *wallet, bytes *secret) {
    seal_identity identity = identity_of(wallet->binding);
    status answer = unseal(wallet->sealed, &identity, secret);
    if (answer != OK) return answer;
    // Words are 3/4 of the entropy's bytes.
    size_t entropy_length = secret->length - SEED_BYTES;
    if (secret->length <= SEED_BYTES || bip39_entropy_length((u32)(entropy_length * 3 / 4)) != entropy_length) {
        return BAD_SEAL;
    }
    return OK;
}

status wallet_generate(u32 words, bytes binding, bytes *sealed) {
    u8 entropy[BIP39_ENTROPY_BYTES_MAX];
    size_t length = bip39_entropy_length(words);
    if (length == 0) return BAD_INPUT;
    draw(entropy, length);
    status answer = keep((bytes){entropy, length}, binding, sealed);
    wipe(entropy, sizeof entropy);
    return answer;
}

status wallet_derive(const sealed_wallet *wallet, curve which, const u32 *path, size_t levels, bytes key_binding,
                     fresh_key *out) {
    bytes secret;
    status answer = open_wallet(wallet, &secret);
    if (answer != OK) return answer;
    answer = key_derive((bytes){secret.at, SEED_BYTES}, which, path, levels, key_binding, out);
    wipe((u8 *)secret.at, secret.length);
    return answer;
}

status wallet_export(const sealed_wallet *wallet, bytes recipient, parcel *out) {
    bytes secret;
    u8 mnemonic[MNEMONIC_BYTES_MAX];
    status answer = open_wallet(wallet, &secret);
    if (answer != OK) return answer;
    size_t length = bip39_mnemonic((bytes){secret.at + SEED_BYTES, secret.length - SEED_BYTES}, mnemonic);
    answer = hpke_seal(recipient, (bytes){mnemonic, length}, out);
    wipe(mnemonic, sizeof mnemonic);
    wipe((u8 *)secret.at, secret.length);
    return answer;
}

status wallet_import(const sealed_key *target, const parcel *sealed_mnemonic, bytes binding, bytes *sealed) {
    bytes text;
    u8 entropy[BIP39_ENTROPY_BYTES_MAX];
    status answer = target_open(target, sealed_mnemonic, &text);
    if (answer != OK) return answer;
    size_t length = bip39_entropy(text, entropy);
    answer = length == 0 ? BAD_INPUT : keep((bytes){entropy, length}, binding, sealed);
    wipe(entropy, sizeof entropy);
    wipe((u8 *)text.at, text.length);
    return answer;
}
