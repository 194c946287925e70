/**
 * What pages and companion must agree on at the companion's own door, beside its JSON. Headers are written in lower
 * case, as Node shows them.
 */

/** A header that only the companion's pages send: another site's page cannot, without a preflight that is refused. */
export const CLIENT_HEADER = "feed-client";
export const CLIENT_NAME = "excel";

/** Carries the bearer that pairing gave; the header Authorization belongs to the provider. */
export const PAIRING_HEADER = "feed-pairing";

/** On every refusal of the companion itself, with its code, so that nobody takes it for the provider's answer. */
export const REFUSAL_HEADER = "feed-refusal";

/**
 * On each answer that the companion shares, so that none of before is taken for it: where it is older than the request
 * wants, the seconds until a refresh has the provider asked again; else 0.
 */
export const REFRESH_HEADER = "feed-refresh-in";

/**
 * On a request for a page of a list: of which reading it is to be, since pages of two moments make no list. With the first
 * page `ANY_READING`, or `FRESH_READING` for whatever page the provider has now; with further pages what the first one's
 * answer said. On an answer: of which reading it is, or `NO_READING`.
 */
export const READING_HEADER = "feed-reading";
export const ANY_READING = "any";
export const FRESH_READING = "fresh";
export const NO_READING = "none";

/** The one code of a refusal that a page must know from others: the pairing code was wrong, or has ended. */
export const WRONG_CODE = "FEED_PAIRING_CODE_WRONG";

/** Stands for the assertion and the token where the companion keeps both to itself (FEED_MODE=relay). */
export const HELD = "held-by-the-companion";

/** Where a page keeps its pairing bearer, in its origin's local storage. */
export const PAIRING_STORAGE_KEY = "feed.pairing";

/** Up to a day the companion signs by the provider's time where its computer's clock differs (`clockSkewMs` of /assertion). */
export const LARGEST_CORRECTED_SKEW_MS = 24 * 3600 * 1000;
