/** Begins every key of ours in Redis. A file of its own: whoever only names it needs no client. */
export const REDIS_PREFIX = 'keystead'
