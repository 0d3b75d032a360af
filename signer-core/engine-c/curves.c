#include "curves.h"
#include "curve-ed25519.h"
#include "curve-p256.h"
#include "curve-secp256k1.h"
#include "entropy.h"
#include "scalars.h"
#include "wipe.h"

bytes curve_name(curve which) {
    static const bytes NAMES[CURVES] = {TEXT("secp256k1"), TEXT("ed25519"), TEXT("p256")};
    return NAMES[which];
}

const u8 *curve_order(curve which) {
    switch (which) {
    case SECP256K1:
        return ORDER_SECP256K1;
    case P256:
        return ORDER_P256;
    default:
        return NULL;
    }
}

void curve_draw_secret(curve which, u8 out[SECRET_BYTES]) {
    const u8 *order = curve_order(which);
    if (order == NULL) {
        draw(out, SECRET_BYTES);
        return;
    }
    u8 wide[WIDE_BYTES];
    draw(wide, sizeof wide);
    scalar_from_wide(order, wide, out);
    wipe(wide, sizeof wide);
}

int curve_is_secret(curve which, const u8 secret[SECRET_BYTES]) {
    const u8 *order = curve_order(which);
    return order == NULL || scalar_is_valid(order, secret);
}

size_t curve_public_key(curve which, const u8 secret[SECRET_BYTES], u8 out[PUBLIC_KEY_BYTES_MAX]) {
    switch (which) {
    case SECP256K1:
        secp256k1_public_key(secret, out);
        return 65;
    case P256:
        p256_public_key(secret, out);
        return 65;
    case ED25519:
        ed25519_public_key(secret, out);
        return 32;
    case CURVES:
        break;
    }
    trap();
}

static int is_scheme_of(curve which, scheme how) {
    switch (how) {
    case ECDSA:
        return which != ED25519;
    case EDDSA:
        return which == ED25519;
    default:
        return which == SECP256K1;
    }
}

status curve_sign(curve which, scheme how, bytes public_key, const u8 secret[SECRET_BYTES], bytes message,
                  u8 out[SIGNATURE_BYTES_MAX], size_t *length) {
    int verified = 0;
    if (!is_scheme_of(which, how)) return BAD_INPUT;
    if (how != EDDSA && message.length != 32) return BAD_INPUT;
    *length = how == ECDSA ? 65 : 64;
    if (how == EDDSA) verified = ed25519_sign(message, secret, public_key, out);
    else if (how == BIP340) verified = secp256k1_sign_bip340(message.at, secret, public_key, out);
    else if (how == BIP340_TAPROOT) verified = secp256k1_sign_taproot(message.at, secret, public_key, out);
    else if (which == P256) verified = p256_sign(message.at, secret, public_key, out);
    else verified = secp256k1_sign_ecdsa(message.at, secret, public_key, out);
    if (!verified) trap();
    return OK;
}
