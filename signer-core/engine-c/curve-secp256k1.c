#include "curve-secp256k1.h"
#include "scalars.h"
#include "wipe.h"
#include "secp256k1.h"
#include "secp256k1_extrakeys.h"
#include "secp256k1_preallocated.h"
#include "secp256k1_recovery.h"
#include "secp256k1_schnorrsig.h"

#define UNCOMPRESSED_BYTES 65

/** For signing. What only reads public values uses the library's constant context. */
static secp256k1_context *context;
static u8 context_memory[512] __attribute__((aligned(16)));

void secp256k1_start(const u8 seed[32]) {
    if (context == NULL) {
        if (secp256k1_context_preallocated_size(SECP256K1_CONTEXT_NONE) > sizeof context_memory) trap();
        context = secp256k1_context_preallocated_create(context_memory, SECP256K1_CONTEXT_NONE);
    }
    if (!secp256k1_context_randomize(context, seed)) trap();
}

/** Only the uncompressed form; the library would take others. */
static int parse(bytes public_key, secp256k1_pubkey *out) {
    if (public_key.length != UNCOMPRESSED_BYTES || public_key.at[0] != 4) return 0;
    return secp256k1_ec_pubkey_parse(secp256k1_context_static, out, public_key.at, public_key.length);
}

void secp256k1_public_key(const u8 secret[32], u8 out[65]) {
    secp256k1_pubkey point;
    size_t length = UNCOMPRESSED_BYTES;
    if (!secp256k1_ec_pubkey_create(context, &point, secret)) trap();
    secp256k1_ec_pubkey_serialize(secp256k1_context_static, out, &length, &point, SECP256K1_EC_UNCOMPRESSED);
}

int secp256k1_sign_ecdsa(const u8 digest[32], const u8 secret[32], bytes public_key, u8 out[65]) {
    int recovery_id;
    secp256k1_ecdsa_recoverable_signature recoverable;
    secp256k1_ecdsa_signature signature;
    secp256k1_pubkey point;
    if (!secp256k1_ecdsa_sign_recoverable(context, &recoverable, digest, secret, NULL, NULL)) return 0;
    secp256k1_ecdsa_recoverable_signature_serialize_compact(context, out + 1, &recovery_id, &recoverable);
    out[0] = (u8)recovery_id;
    secp256k1_ecdsa_recoverable_signature_convert(context, &signature, &recoverable);
    return parse(public_key, &point) && secp256k1_ecdsa_verify(secp256k1_context_static, &signature, digest, &point);
}

static int sign_schnorr(const secp256k1_keypair *pair, const u8 message[32], const u8 x_only_key[32], u8 out[64]) {
    static const u8 NO_AUXILIARY_RANDOMNESS[32];
    secp256k1_xonly_pubkey key;
    return secp256k1_schnorrsig_sign32(context, out, message, pair, NO_AUXILIARY_RANDOMNESS)
        && secp256k1_xonly_pubkey_parse(secp256k1_context_static, &key, x_only_key)
        && secp256k1_schnorrsig_verify(secp256k1_context_static, out, message, 32, &key);
}

int secp256k1_sign_bip340(const u8 message[32], const u8 secret[32], bytes public_key, u8 out[64]) {
    secp256k1_keypair pair;
    int verified = public_key.length == UNCOMPRESSED_BYTES && secp256k1_keypair_create(context, &pair, secret)
        && sign_schnorr(&pair, message, public_key.at + 1, out);
    wipe(&pair, sizeof pair);
    return verified;
}

/** BIP-341: the tweak that stands for an empty script tree. */
static void tweak_of(const u8 x[32], u8 out[32]) {
    bytes tag = TEXT("TapTweak");
    if (!secp256k1_tagged_sha256(secp256k1_context_static, out, tag.at, tag.length, x, 32)) trap();
    scalar_reduce(ORDER_SECP256K1, out, out);
}

int secp256k1_sign_taproot(const u8 message[32], const u8 secret[32], bytes public_key, u8 out[64]) {
    u8 tweak[32], output_key[32];
    secp256k1_keypair pair;
    int verified = 0;
    if (secp256k1_output_key(public_key, output_key) == OK) {
        tweak_of(public_key.at + 1, tweak);
        verified = secp256k1_keypair_create(context, &pair, secret)
            && secp256k1_keypair_xonly_tweak_add(context, &pair, tweak)
            && sign_schnorr(&pair, message, output_key, out);
    }
    wipe(&pair, sizeof pair);
    return verified;
}

status secp256k1_output_key(bytes public_key, u8 out[32]) {
    u8 tweak[32];
    secp256k1_pubkey point, tweaked;
    secp256k1_xonly_pubkey internal, output;
    if (!parse(public_key, &point)) return BAD_INPUT;
    tweak_of(public_key.at + 1, tweak);
    // None of these can fail for a point, unless somebody has found a preimage of its tweak.
    if (!secp256k1_xonly_pubkey_from_pubkey(secp256k1_context_static, &internal, NULL, &point)
        || !secp256k1_xonly_pubkey_tweak_add(secp256k1_context_static, &tweaked, &internal, tweak)
        || !secp256k1_xonly_pubkey_from_pubkey(secp256k1_context_static, &output, NULL, &tweaked)) {
        trap();
    }
    secp256k1_xonly_pubkey_serialize(secp256k1_context_static, out, &output);
    return OK;
}
