import { refuseRate } from "../companion/api/limits";
import {
  CODE_LIFETIME_MS,
  makeCode,
  makeSecret,
  type Person,
  type SignedIn,
  toCodeHash,
  toHash,
  toSentHash,
} from "../companion/api/pairing";
import type { Network } from "../companion/network";
import type { SignIn } from "./configuration";
import type { Roles } from "./reads/entitlements";
import { createAuthorization, toRequestedScope, type UnderWay } from "./sign-in/authorization";
import { createIdentityProvider } from "./sign-in/identity-provider";
import { SignInRefusal } from "./sign-in/refusal";
import { verifyToken } from "./sign-in/verify";
import type { FirmStores, OneTimeValues } from "./stores";

/** Sign-ins of one person a minute, on all machines: each leaves a code that waits. */
const MOST_SIGN_INS = 20;
const MINUTE_MS = 60_000;
/** A page sends its sign-in with every request, in a header of which proxies take 8 KB: so much is left for roles. */
const LARGEST_ROLES_BYTES = 3000;

/** By {@link createSigningIn}. */
export type SigningIn = ReturnType<typeof createSigningIn>;

/** A person whose token was accepted, and the code for their pane. */
interface Admitted {
  code: string;
  person: Person;
}

/**
 * Creates the ways to sign in: each ends with a pairing code for the person that an access token names. The identity
 * provider is contacted on first use.
 */
export function createSigningIn(
  signIn: SignIn,
  { oneTimeValues, createLimit }: Pick<FirmStores, "oneTimeValues" | "createLimit">,
  nowMs: () => number,
  network: Network,
  roles: () => Roles | undefined,
) {
  const identityProvider = createIdentityProvider(signIn.issuer, network);
  const { begin, finish } = createAuthorization(signIn, identityProvider);
  const { issue, take } = createPersonCodes(oneTimeValues);
  const limit = createLimit("signInPerson", MOST_SIGN_INS, MINUTE_MS);
  /** Gives a token's person, with the roles that mean something here, and its end. */
  const identify = async (token: string): Promise<SignedIn> => {
    const { person, endsAtMs } = await verifyToken(token, signIn, await identityProvider.discover(), nowMs());
    // A token may list hundreds of roles that mean nothing here.
    const named = person.roles.filter((role) => Object.hasOwn(roles() ?? {}, role));
    if (Buffer.byteLength(JSON.stringify(named)) > LARGEST_ROLES_BYTES) throw refuseRoles(person.id);
    return { person: { ...person, roles: named }, endsAtMs };
  };
  const admitFor = async (page: string, token: string): Promise<Admitted> => {
    const { person } = await identify(token);
    const waitMs = await limit.count(person.id);
    if (waitMs > 0) throw refuseRate(MOST_SIGN_INS, waitMs);
    return { code: await issue({ person, endsAtMs: nowMs() + signIn.lifetimeMs }, page), person };
  };
  return {
    /** The pane's parameters for a token from Office (nested app authentication); absent for other identity providers. */
    nested: toNested(signIn),
    begin,
    take,
    /** What agents need, whose tokens come with each request. */
    agents: { issuer: signIn.issuer, scope: toRequestedScope(signIn), identify },
    /**
     * Signs a person in by an access token.
     * @returns The code with its secret, as the pane that sent the token sends both.
     * @throws SignInRefusal; Refusal (429) for a person who signs in too often
     */
    async admit(token: string): Promise<Admitted> {
      const secret = makeSecret();
      const { code, person } = await admitFor(toHash(secret), token);
      return { code: `${code}.${secret}`, person };
    },
    /**
     * Completes a sign-in after the browser's return.
     * @param page The page that the code is for: SHA-256 of its secret, in hex.
     * @throws SignInRefusal
     */
    finish: async (query: string, underWay: UnderWay, page: string): Promise<Admitted> =>
      admitFor(page, await finish(query, underWay)),
    close: identityProvider.close,
  };
}

function refuseRoles(who: string): SignInRefusal {
  const sentence = `${who} has more roles of FEED_ROLES_FILE than a sign-in holds (${LARGEST_ROLES_BYTES} bytes): assign fewer ones.`;
  return new SignInRefusal("unfit", sentence);
}

/** Gives the nested parameters. The authority is the issuer without its version, as Microsoft's libraries require. */
function toNested(signIn: SignIn) {
  if (signIn.profile !== "entra") return undefined;
  const authority = signIn.issuer.replace(/\/v2\.0$/, "");
  return { clientId: signIn.clientId, authority, scopes: [toRequestedScope(signIn)] };
}

/** Creates the pairing codes of people who signed in: one each, any number at once. Only hashes are stored. */
export function createPersonCodes(oneTimeValues: OneTimeValues) {
  return {
    /**
     * Creates a code: "ABCD-EFGH", good for five minutes and one pairing, of one page.
     * @param page SHA-256 of that page's secret, in hex.
     */
    async issue(signedIn: SignedIn, page: string): Promise<string> {
      const code = makeCode();
      await oneTimeValues.put(toKey(toCodeHash(code, page)), signedIn, CODE_LIFETIME_MS);
      return code;
    },
    /** Takes the code that a page sends, once; a wrong code, or another page's, uses none up. */
    take: async (sent: string) => (await oneTimeValues.take(toKey(toSentHash(sent)))) as SignedIn | undefined,
  };
}

const toKey = (hash: string): string => `code ${hash}`;
