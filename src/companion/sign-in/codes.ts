import { CODE_LIFETIME_MS, makeCode, toCodeHash } from "../door/code";
import type { Person } from "../reads/rights";
import type { Notes } from "../stores";

/** Somebody who signed in, and until when. */
export interface SignedIn {
  person: Person;
  /** Milliseconds since 1970. */
  endsAtMs: number;
}

/** The codes by which people who signed in pair their panes: as many at once as there are people. */
export interface PersonCodes {
  /** Makes a code: "ABCD-EFGH", good for five minutes and one pairing. */
  issue(signedIn: SignedIn): Promise<string>;
  /** Gives whose code it is, once; a wrong one ends no other. */
  take(written: string): Promise<SignedIn | undefined>;
}

/** Creates the codes of people; of a code only its hash is kept. */
export function createPersonCodes(notes: Notes): PersonCodes {
  return {
    async issue(signedIn) {
      const code = makeCode();
      await notes.put(toKey(code), signedIn, CODE_LIFETIME_MS);
      return code;
    },
    take: async (written) => (await notes.take(toKey(written))) as SignedIn | undefined,
  };
}

const toKey = (written: string): string => `code ${toCodeHash(written)}`;
