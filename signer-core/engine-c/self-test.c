#include "self-test.h"
#include "aes-gcm.h"
#include "curves.h"
#include "hashes.h"

#define ANSWER_BYTES_MAX 80

/** FIPS 180-4 and 202, Keccak team, RIPEMD-160's authors, RFC 7693's algorithm at 32 bytes: each of "abc". */
static const char *const DIGESTS[HASHES] = {
    [SHA256] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    [SHA512] = ("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
    [KECCAK256] = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    [SHA3_256] = "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
    [RIPEMD160] = "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc",
    [BLAKE2B256] = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
};

/** RFC 4231, test case 2. */
static const char HMAC_SHA256[] = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
static const char HMAC_SHA512[] = "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                                  "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737";

/** McGrew and Viega, "The Galois/Counter Mode of Operation", test case 16. */
static const char GCM_KEY[] = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";
static const char GCM_NONCE[] = "cafebabefacedbaddecaf888";
static const char GCM_ADDITIONAL[] = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
static const char GCM_PLAINTEXT[] = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                                    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
static const char GCM_SEALED[] = "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                                 "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                                 "76fc6ece0f4e1768cddf8853bb2d551b";

static const struct {
    curve curve;
    scheme scheme;
    const char *secret, *message, *signature;
} SIGNATURES[] = {
    // The usual vector for RFC 6979 on this curve; the standard has none.
    {SECP256K1, ECDSA, "0000000000000000000000000000000000000000000000000000000000000001",
     "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",
     "01934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
     "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"},
    // BIP-340, test vector 0.
    {SECP256K1, BIP340, "0000000000000000000000000000000000000000000000000000000000000003",
     "0000000000000000000000000000000000000000000000000000000000000000",
     "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215"
     "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0"},
    // RFC 6979, A.2.5, SHA-256 of "sample".
    {P256, ECDSA, "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
     "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
     "01efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
     "0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9"},
    // RFC 8032, 7.1, test 3.
    {ED25519, EDDSA, "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
     "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
};

static u8 digit(char letter) {
    return (u8)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

static bytes read_hex(const char *hex, u8 out[ANSWER_BYTES_MAX]) {
    size_t length = 0;
    for (; hex[2 * length] != 0; length++) out[length] = (u8)(digit(hex[2 * length]) << 4 | digit(hex[2 * length + 1]));
    return (bytes){out, length};
}

static void expect(const char *hex, const u8 *answer, size_t length) {
    u8 expected[ANSWER_BYTES_MAX];
    if (read_hex(hex, expected).length != length || memcmp(expected, answer, length) != 0) trap();
}

static void test_hashes(void) {
    u8 out[DIGEST_BYTES_MAX];
    bytes jefe = TEXT("Jefe"), question = TEXT("what do ya want for nothing?");
    for (hash algorithm = SHA256; algorithm < HASHES; algorithm++) {
        expect(DIGESTS[algorithm], out, digest_of(algorithm, TEXT("abc"), out));
    }
    hmac_sha256(jefe, &question, 1, out);
    expect(HMAC_SHA256, out, 32);
    hmac_sha512(jefe, &question, 1, out);
    expect(HMAC_SHA512, out, 64);
}

static void test_gcm(void) {
    u8 key[ANSWER_BYTES_MAX], nonce[ANSWER_BYTES_MAX], additional[ANSWER_BYTES_MAX], data[ANSWER_BYTES_MAX];
    read_hex(GCM_KEY, key);
    read_hex(GCM_NONCE, nonce);
    bytes authenticated = read_hex(GCM_ADDITIONAL, additional);
    size_t length = read_hex(GCM_PLAINTEXT, data).length;
    u8 *tag = data + length;
    gcm_seal(key, nonce, &authenticated, 1, data, length, tag);
    expect(GCM_SEALED, data, length + GCM_TAG_BYTES);
    if (!gcm_open(key, nonce, &authenticated, 1, data, length, tag)) trap();
    expect(GCM_PLAINTEXT, data, length);
    tag[0] ^= 1;
    if (gcm_open(key, nonce, &authenticated, 1, data, length, tag)) trap();
}

static void test_signatures(void) {
    u8 secret[ANSWER_BYTES_MAX], message[ANSWER_BYTES_MAX], public_key[PUBLIC_KEY_BYTES_MAX], out[SIGNATURE_BYTES_MAX];
    for (size_t i = 0; i < COUNT(SIGNATURES); i++) {
        size_t length;
        read_hex(SIGNATURES[i].secret, secret);
        bytes said = read_hex(SIGNATURES[i].message, message);
        bytes key = {public_key, curve_public_key(SIGNATURES[i].curve, secret, public_key)};
        // Also verifies, with the library's other half.
        if (curve_sign(SIGNATURES[i].curve, SIGNATURES[i].scheme, key, secret, said, out, &length) != OK) trap();
        expect(SIGNATURES[i].signature, out, length);
    }
}

void self_test(void) {
    static int passed;
    if (passed) return;
    test_hashes();
    test_gcm();
    test_signatures();
    passed = 1;
}
