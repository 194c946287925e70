import type { OperationId } from "../contract/constants";
import type { ProviderAnswer, ProviderQuestion } from "./relay/provider-reads";

/** Who reads, as far as answers depend on it. */
export interface Reader {
  /** The person or the pairing, by which the gatherer takes turns. */
  who: string;
  /** Whoever has the same rights: what one was refused is kept from these alone. */
  className: string;
  /**
   * Counts what this reader has the provider asked for: so many companies or pages.
   * @throws Refusal (FEED_RATE_LIMITED)
   */
  count(loads: number): Promise<void>;
}

/** An answer for one reader. */
export interface SharedAnswer extends ProviderAnswer {
  /** When the provider gave it, in milliseconds since 1970: of several, the oldest. */
  asOfMs: number;
  /** How many companies or pages were asked for, and how many of them the provider was not asked for. */
  asked: number;
  known: number;
}

/** Answers of the provider that are asked for once and serve everybody who may read them. */
export interface SharedReads {
  /**
   * Reads what one reader asks for; whether that one may read it was judged before.
   * @throws Refusal as of ProviderReads, and of the reader's own count.
   */
  read(operation: OperationId, question: ProviderQuestion, reader: Reader): Promise<SharedAnswer>;
}
