/**
 * Replaces the unused mutations and infinite queries of @tanstack/query-core in the bundles: its client imports them,
 * and they take 1.7 KB, compressed, of the start script.
 */

/** Constructed by the library's client, and never used. */
export class MutationCache {}

/** Never called, since there are no infinite queries: a call would throw. */
export const infiniteQueryBehavior = null;
