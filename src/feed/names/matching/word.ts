/** A word of a name; equal words of one vocabulary are one object. */
export interface Word {
  /** Folded. */
  readonly text: string;
  /** Spellings in Latin letters by which it is compared, or the text itself. */
  readonly keys: readonly string[];
  readonly kind: "latin" | "number" | "japanese" | "other";
  /** Numbers of its meanings, which it shares with words of another language: none of a name, several of a homophone. */
  readonly meanings: readonly number[];
  /** Whether it is Japanese, in whatever letters. */
  readonly isJapanese: boolean;
}

/** A name in words, without its legal forms. */
export type Words = readonly Word[];
