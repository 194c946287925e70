import type { ProviderAnswer } from "../../relay/answer";

/** Who reads, as far as answers depend on it. */
export interface Reader {
  /** The person or the pairing, by which turns are taken. */
  who: string;
  /** Whoever has the same rights: what one was refused is kept from these alone. */
  className: string;
  /**
   * Counts what this reader has the provider asked for: so many companies or pages.
   * @throws Refusal (FEED_RATE_LIMITED)
   */
  count(loads: number): Promise<void>;
  /** Counts what came beyond that, be there room for it or not. */
  charge(loads: number): Promise<void>;
}

/** An answer, and how old it is. */
export interface AgedAnswer extends ProviderAnswer {
  /** When the provider gave it, in milliseconds since 1970: of several, the oldest. */
  asOfMs: number;
  /** How many companies or pages were asked for, and how many of them the provider was not asked for. */
  asked: number;
  known: number;
  /** Of which reading of its list it is a page. */
  reading?: string | undefined;
}

/** An answer for one reader. */
export interface SharedAnswer extends AgedAnswer {
  /**
   * Where it is older than the reader wants, by the firm's policy: from when on a refresh has the provider asked again, in
   * milliseconds since 1970.
   */
  newerAtMs: number | undefined;
}
