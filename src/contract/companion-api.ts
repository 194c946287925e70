/** The parts of the companion API that pages share, beside its JSON. Headers are in lower case, as Node gives them. */

/** A header that only the companion's pages send: another site's page would need a preflight, which is refused. */
export const CLIENT_HEADER = "feed-client";
export const CLIENT_NAME = "excel";

/** The header of the pairing's bearer; Authorization is the provider's. */
export const PAIRING_HEADER = "feed-pairing";

/** The header of every refusal of the companion itself, with its code; the provider's answers lack it. */
export const REFUSAL_HEADER = "feed-refusal";

/** On each answer of the companion: its id in the companion's log, for support; no two instances give the same. */
export const REQUEST_HEADER = "feed-request";

/**
 * On each shared answer: the seconds until a refresh may bring a newer one, where it is older than requested; otherwise
 * 0.
 */
export const REFRESH_HEADER = "feed-refresh-in";

/**
 * On a request for a page of a list: the reading that it must be of, since pages of two moments make no list. The first
 * page's is `ANY_READING`, or `FRESH_READING` for the provider's current page; further pages' is the one of the first
 * answer. On an answer: its reading, or `NO_READING`.
 */
export const READING_HEADER = "feed-reading";
export const ANY_READING = "any";
export const FRESH_READING = "fresh";
export const NO_READING = "none";

/**
 * On a request for several companies: the page takes those that are known at once, and requests the others again. On an
 * answer: it holds only these, and the others were not requested from the provider.
 */
export const PARTIAL_HEADER = "feed-partial";

/** The code of a wrong or expired pairing code, which pages treat specially. */
export const WRONG_CODE = "FEED_PAIRING_CODE_WRONG";

/** Placeholder for assertion and token where the companion withholds both (FEED_MODE=relay). */
export const HELD = "held-by-the-companion";

/** Key of the pairing's bearer in the origin's local storage. */
export const PAIRING_STORAGE_KEY = "feed.pairing";

/** Largest clock difference that the companion corrects when it signs (`clockSkewMs` of /assertion). */
export const LARGEST_CORRECTED_SKEW_MS = 24 * 3600 * 1000;
