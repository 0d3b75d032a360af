/**
 * Begins every key of ours in Redis, in all installations the same: each needs a database of its own. A file of its own:
 * whoever only names it needs no client.
 */
export const REDIS_PREFIX = 'keystead'
