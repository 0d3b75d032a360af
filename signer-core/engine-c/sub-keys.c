#include "sub-keys.h"
#include "hashes.h"
#include "wipe.h"

#define SUB_KEY_BYTES_MAX 48

static const struct {
    bytes info;
    size_t length;
} PLANS[PURPOSES] = {
    [FOR_ORGANIZATION] = {TEXT("keystead/v1/notarized/organization"), 32},
    [FOR_EVALUATION] = {TEXT("keystead/v1/notarized/evaluation"), 32},
    [FOR_KEY] = {TEXT("keystead/v1/notarized/key"), 32},
    [FOR_SEALED_KEY] = {TEXT("keystead/v1/sealed-key"), 32},
    // Longer, so that the scalar made of it is unbiased (FIPS 186-5, A.2.1).
    [FOR_IDENTITY] = {TEXT("keystead/v1/identity"), 48},
};

static u8 keys[PURPOSES][SUB_KEY_BYTES_MAX];
static int loaded;

int sub_keys_loaded(void) {
    return loaded;
}

void sub_keys_load(const u8 data_key[DATA_KEY_BYTES]) {
    for (int i = 0; i < PURPOSES; i++) {
        hkdf_sha256((bytes){data_key, DATA_KEY_BYTES}, PLANS[i].info, keys[i], PLANS[i].length);
    }
    loaded = 1;
}

void sub_keys_wipe(void) {
    wipe(keys, sizeof keys);
    loaded = 0;
}

status sub_key(purpose which, bytes *out) {
    if (!loaded) return NO_DATA_KEY;
    *out = (bytes){keys[which], PLANS[which].length};
    return OK;
}
