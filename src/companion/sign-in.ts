import { CODE_LIFETIME_MS, makeCode, makeSecret, toCodeHash, toHash, toSentHash } from "./api/pairing-codes";
import type { SignIn } from "./configuration/sign-in";
import type { Person } from "./reads/entitlements";
import { type Authorization, createAuthorization, toRequestedScope, type UnderWay } from "./sign-in/authorization";
import { createIdentityProvider } from "./sign-in/identity-provider";
import { verifyToken } from "./sign-in/verify";
import type { OneTimeValues } from "./stores";

/** How people sign in: each way ends with a pairing code for whoever an access token names. */
export interface SigningIn extends Pick<Authorization, "begin">, Pick<PersonCodes, "take"> {
  /** What a pane needs to ask Office for a token (nested app authentication); absent where that is not Microsoft's. */
  nested?: { clientId: string; authority: string; scopes: readonly string[] };
  /**
   * Takes an access token for its person's sign-in.
   * @returns The code with the secret that it wants, as the page that brought the token sends both.
   * @throws SignInRefusal
   */
  admit(token: string): Promise<Admitted>;
  /**
   * Ends a sign-in that a browser has come back from.
   * @param page For which a code is made: SHA-256 of its secret, in hex.
   * @throws SignInRefusal
   */
  finish(query: string, underWay: UnderWay, page: string): Promise<Admitted>;
  close(): Promise<void>;
}

/** Somebody whose token was taken, and the code for their pane. */
interface Admitted {
  code: string;
  person: Person;
}

/** Creates the ways to sign in; the identity provider is asked only when somebody does. */
export function createSigningIn(signIn: SignIn, oneTimeValues: OneTimeValues, nowMs: () => number): SigningIn {
  const identityProvider = createIdentityProvider(signIn.issuer);
  const { begin, finish } = createAuthorization(signIn, identityProvider);
  const { issue, take } = createPersonCodes(oneTimeValues);
  const admitFor = async (page: string, token: string): Promise<Admitted> => {
    const person = await verifyToken(token, signIn, await identityProvider.discover(), nowMs());
    return { code: await issue({ person, endsAtMs: nowMs() + signIn.lifetimeMs }, page), person };
  };
  return {
    nested: toNested(signIn),
    begin,
    take,
    async admit(token) {
      const secret = makeSecret();
      const { code, person } = await admitFor(toHash(secret), token);
      return { code: `${code}.${secret}`, person };
    },
    finish: async (query, underWay, page) => admitFor(page, await finish(query, underWay)),
    close: identityProvider.close,
  };
}

/** The authority is the issuer less its version, as Microsoft's libraries want it. */
function toNested(signIn: SignIn): SigningIn["nested"] {
  if (signIn.profile !== "entra") return undefined;
  const authority = signIn.issuer.replace(/\/v2\.0$/, "");
  return { clientId: signIn.clientId, authority, scopes: [toRequestedScope(signIn)] };
}

/** Somebody who signed in, and until when. */
interface SignedIn {
  person: Person;
  /** Milliseconds since 1970. */
  endsAtMs: number;
}

/** The codes by which people who signed in pair their panes: as many at once as there are people. */
interface PersonCodes {
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
