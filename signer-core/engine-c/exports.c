/**
 * `engine` of engine.wit: each function lifts its arguments, does one thing and lowers the result. Arguments are lifted
 * before anything else takes room in the arena, because only what cabi_realloc has given may be one.
 */
#include "abi.h"
#include "arena.h"
#include "curve-secp256k1.h"
#include "curves.h"
#include "hashes.h"
#include "identity.h"
#include "keys.h"
#include "wallets.h"
#include "wipe.h"

/** A list<u8> as an argument takes two. */
#define LIST(name) const u8 *name##_at, size_t name##_length
#define LIFT(name) arena_lift(name##_at, name##_length)

/** Defines the function that the canonical ABI calls when it has read the result. */
#define CLEAN_AFTER(name, function) \
    EXPORT_AFTER("engine", name) void function(const void *result) { \
        (void)result; \
        abi_clean(); \
    }

static const list_result *return_fresh(status answer, const fresh_key *fresh) {
    return return_lists(answer, fresh->public_key, fresh->sealed);
}

static const list_result *return_parcel(status answer, const parcel *sealed) {
    return return_lists(answer, sealed->encapsulated, sealed->ciphertext);
}

/** A list<u32>; its bytes are checked like any others. */
static const u32 *lift_path(const u32 *path, size_t levels) {
    // More would overflow the length in bytes.
    if (levels > UINT32_MAX / sizeof *path) trap();
    return (const u32 *)(const void *)arena_lift((const u8 *)path, levels * sizeof *path).at;
}

EXPORT("engine", "generate") const list_result *generate(u32 curve_number, LIST(binding)) {
    fresh_key fresh = {0};
    return return_fresh(key_generate(lift_enum(curve_number, CURVES), LIFT(binding), &fresh), &fresh);
}
CLEAN_AFTER("generate", after_generate)

EXPORT("engine", "sign")
const list_result *sign(u32 curve_number, LIST(public_key), LIST(sealed), LIST(binding), u32 scheme_number, LIST(message)) {
    sealed_key key = {lift_enum(curve_number, CURVES), LIFT(public_key), LIFT(sealed), LIFT(binding)};
    bytes signature = NO_BYTES;
    return return_list(key_sign(&key, lift_enum(scheme_number, SCHEMES), LIFT(message), &signature), signature);
}
CLEAN_AFTER("sign", after_sign)

EXPORT("engine", "taproot-output-key") const list_result *taproot_output_key(LIST(public_key)) {
    bytes public_key = LIFT(public_key);
    u8 *x = arena_take(32);
    return return_list(secp256k1_output_key(public_key, x), (bytes){x, 32});
}
CLEAN_AFTER("taproot-output-key", after_taproot_output_key)

EXPORT("engine", "generate-wallet") const list_result *generate_wallet(u32 words, LIST(binding)) {
    bytes sealed = NO_BYTES;
    status answer = wallet_generate(words, LIFT(binding), &sealed);
    return return_list(answer, sealed);
}
CLEAN_AFTER("generate-wallet", after_generate_wallet)

EXPORT("engine", "derive")
const list_result *derive(LIST(sealed), LIST(binding), u32 curve_number, const u32 *path, size_t levels, LIST(key_binding)) {
    sealed_wallet wallet = {LIFT(sealed), LIFT(binding)};
    fresh_key fresh = {0};
    status answer = wallet_derive(&wallet, lift_enum(curve_number, CURVES), lift_path(path, levels), levels,
                                  LIFT(key_binding), &fresh);
    return return_fresh(answer, &fresh);
}
CLEAN_AFTER("derive", after_derive)

EXPORT("engine", "export-key")
const list_result *export_key(u32 curve_number, LIST(public_key), LIST(sealed), LIST(binding), LIST(recipient)) {
    sealed_key key = {lift_enum(curve_number, CURVES), LIFT(public_key), LIFT(sealed), LIFT(binding)};
    parcel out = {0};
    return return_parcel(key_export(&key, LIFT(recipient), &out), &out);
}
CLEAN_AFTER("export-key", after_export_key)

EXPORT("engine", "export-wallet") const list_result *export_wallet(LIST(sealed), LIST(binding), LIST(recipient)) {
    sealed_wallet wallet = {LIFT(sealed), LIFT(binding)};
    parcel out = {0};
    return return_parcel(wallet_export(&wallet, LIFT(recipient), &out), &out);
}
CLEAN_AFTER("export-wallet", after_export_wallet)

EXPORT("engine", "generate-target") const list_result *generate_target(LIST(binding)) {
    fresh_key fresh = {0};
    return return_fresh(target_generate(LIFT(binding), &fresh), &fresh);
}
CLEAN_AFTER("generate-target", after_generate_target)

EXPORT("engine", "import-key")
const list_result *import_key(LIST(public_key), LIST(sealed), LIST(target_binding), LIST(encapsulated), LIST(ciphertext),
                              u32 curve_number, LIST(binding)) {
    sealed_key target = {P256, LIFT(public_key), LIFT(sealed), LIFT(target_binding)};
    parcel arrived = {LIFT(encapsulated), LIFT(ciphertext)};
    fresh_key fresh = {0};
    return return_fresh(key_import(&target, &arrived, lift_enum(curve_number, CURVES), LIFT(binding), &fresh), &fresh);
}
CLEAN_AFTER("import-key", after_import_key)

EXPORT("engine", "import-wallet")
const list_result *import_wallet(LIST(public_key), LIST(sealed), LIST(target_binding), LIST(encapsulated), LIST(ciphertext),
                                 LIST(binding)) {
    sealed_key target = {P256, LIFT(public_key), LIFT(sealed), LIFT(target_binding)};
    parcel arrived = {LIFT(encapsulated), LIFT(ciphertext)};
    bytes wallet = NO_BYTES;
    status answer = wallet_import(&target, &arrived, LIFT(binding), &wallet);
    return return_list(answer, wallet);
}
CLEAN_AFTER("import-wallet", after_import_wallet)

EXPORT("engine", "identity") const list_result *identity(void) {
    u8 *public_key = arena_take(65);
    return return_list(identity_public_key(public_key), (bytes){public_key, 65});
}
CLEAN_AFTER("identity", after_identity)

EXPORT("engine", "attest") const list_result *attest(LIST(data)) {
    bytes data = LIFT(data);
    u8 *out = arena_take(72);
    bytes signature = {out, 0};
    status answer = identity_attest(data, out, &signature.length);
    return return_list(answer, signature);
}
CLEAN_AFTER("attest", after_attest)

EXPORT("engine", "digest") const bytes *digest(u32 algorithm, LIST(data)) {
    static bytes returned;
    bytes data = LIFT(data);
    u8 *out = arena_take(DIGEST_BYTES_MAX);
    returned = (bytes){out, digest_of(lift_enum(algorithm, HASHES), data, out)};
    return &returned;
}
CLEAN_AFTER("digest", after_digest)

EXPORT("engine", "notarize") const list_result *notarize_text(u32 purpose_number, LIST(text)) {
    bytes text = LIFT(text);
    u8 *seal = arena_take(NOTARY_SEAL_BYTES);
    status answer = notarize(lift_enum(purpose_number, NOTARY_PURPOSES), text, seal);
    return return_list(answer, (bytes){seal, NOTARY_SEAL_BYTES});
}
CLEAN_AFTER("notarize", after_notarize)

EXPORT("engine", "is-notarized") const small_result *is_notarized(u32 purpose_number, LIST(text), LIST(seal)) {
    u8 expected[NOTARY_SEAL_BYTES];
    bytes seal = LIFT(seal);
    status answer = notarize(lift_enum(purpose_number, NOTARY_PURPOSES), LIFT(text), expected);
    int same = answer == OK && seal.length == sizeof expected && equal_bytes(seal.at, expected, sizeof expected);
    wipe(expected, sizeof expected);
    return return_bool(answer, same);
}
CLEAN_AFTER("is-notarized", after_is_notarized)
