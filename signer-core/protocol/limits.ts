/** Limits that both sides of the signer's border enforce. Written once; every one has a test at its edge. */

/** Longest request body. A stamped body with a 128 KiB transaction in hex still fits. */
export const BODY_BYTES_MAX = 262_144
/** Deepest nesting of arrays and objects in a body. */
export const JSON_DEPTH_MAX = 32
/** Longest frame between gateway, launcher and host: a full body in base64 plus records and sealed keys. */
export const FRAME_BYTES_MAX = 4_194_304
/** Most keys that one activity creates. */
export const KEYS_PER_ACTIVITY_MAX = 100
/**
 * Most accounts of a wallet that one activity makes. The reference engine needs 2.8 s for a new wallet's seed and up to
 * 70 ms for each account: half of a host's deadline of 10 s at worst.
 */
export const ACCOUNTS_PER_ACTIVITY_MAX = 30
/** Most keys, wallets or accounts that one activity deletes. */
export const IDS_PER_DELETION_MAX = 100
/** Most payloads that one activity signs. */
export const PAYLOADS_PER_ACTIVITY_MAX = 100
/** Most of them that are typed data or authorizations: each value of typed data is a hash, so few can be much work. */
export const STRUCTURED_PAYLOADS_MAX = 8
/** Most chains of receipts of which a gateway says at once how far it has stored them: one per host and then some. */
export const CHAIN_MARKS_MAX = 512
/** Longest name of a user, key or organization, in UTF-16 units. */
export const NAME_LENGTH_MAX = 256
/** Longest expression of a policy, notes or value of a feature, in UTF-16 units. */
export const TEXT_LENGTH_MAX = 8_192
/** Longest organization record, in bytes of UTF-8. */
export const ORGANIZATION_RECORD_BYTES_MAX = 524_288
/** Limits of the wire's documentation: users and policies of an organization, API keys of a user. */
export const USERS_MAX = 100
export const POLICIES_MAX = 100
export const API_KEYS_MAX = 10
/**
 * Most characters in the expressions of all policies of an organization, or of a dry run. Compiled, the densest take 130
 * bytes each of the component's 32 MiB.
 */
export const POLICIES_LENGTH_MAX = 49_152
/** Most votes on an activity: each user has one voice. */
export const VOTES_MAX = USERS_MAX
/** How long a vote counts after the time that is stamped with it, and how far that time may lie ahead. */
export const VOTE_AGE_MAX_MS = 24 * 60 * 60_000
export const VOTE_AHEAD_MAX_MS = 5 * 60_000
/** Most tags of a kind in an organization, and of one user or key. */
export const TAGS_MAX = 100
export const PRIVATE_KEYS_PER_TAG_MAX = 1_000
/** More than there are names of features. */
export const FEATURES_MAX = 16
/** Longest key id or address in `signWith`; an uncompressed public key, the longest address, has 130 digits. */
export const KEY_NAME_LENGTH_MAX = 200
