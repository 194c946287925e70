import { CODE_LIFETIME_MS, makeCode, toCodeHash, toSentHash } from "../api/code";
import type { Person } from "../reads/entitlements";
import type { OneTimeValues } from "../stores";

/** Somebody who signed in, and until when. */
interface SignedIn {
  person: Person;
  /** Milliseconds since 1970. */
  endsAtMs: number;
}

/** The codes by which people who signed in pair their panes: as many at once as there are people. */
export interface PersonCodes {
  /**
   * Makes a code: "ABCD-EFGH", good for five minutes and one pairing, of one page.
   * @param page SHA-256 of that page's secret, in hex.
   */
  issue(signedIn: SignedIn, page: string): Promise<string>;
  /** Gives whose code it is, once, by what a page sends; a wrong one, or one of another page, ends none. */
  take(sent: string): Promise<SignedIn | undefined>;
}

/** Creates the codes of people; of a code only its hash is kept. */
export function createPersonCodes(oneTimeValues: OneTimeValues): PersonCodes {
  return {
    async issue(signedIn, page) {
      const code = makeCode();
      await oneTimeValues.put(toKey(toCodeHash(code, page)), signedIn, CODE_LIFETIME_MS);
      return code;
    },
    take: async (sent) => (await oneTimeValues.take(toKey(toSentHash(sent)))) as SignedIn | undefined,
  };
}

const toKey = (hash: string): string => `code ${hash}`;
