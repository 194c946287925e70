import { compactVerify, decodeProtectedHeader, errors, type ProtectedHeaderParameters } from "jose";
import type { Person, SignedIn } from "../../companion/api/pairing";
import type { SignIn } from "../configuration";
import { type Discovered, toUnreachable } from "./identity-provider";
import { SignInRefusal } from "./refusal";

/** Asymmetric algorithms only: a holder of the public key must not be able to sign. */
const ALGORITHMS = ["RS256", "PS256", "ES256"];
/** RFC 9068 has the first; most identity providers use the other. */
const TYPES = ["at+jwt", "jwt"];
/** Tolerated difference of two machines' clocks. */
const TOLERANCE_SECONDS = 30;
const LONGEST_TOKEN = 32 * 1024;
const LONGEST_TEXT = 255;

/** Reasons for refusing a token, for the log and for a pane with Office's token. */
const REASONS = {
  form: "This is no signed token (JWT).",
  unsigned: "The token is not signed.",
  algorithm: `The token is signed in another way than ${ALGORITHMS.join(", ")}.`,
  key: "The token names a key that the identity provider does not have.",
  signature: "The token's signature is not the identity provider's.",
  type: "The token is none for access: its typ is neither at+jwt nor JWT.",
  identity: "This is an ID token, which says who somebody is: send the access token.",
  issuer: "The token is of another identity provider than FEED_SIGN_IN_ISSUER names.",
  tenant: "The token is of another tenant than the one in FEED_SIGN_IN_ISSUER.",
  audience: "The token is for another service than FEED_SIGN_IN_AUDIENCE names.",
  application: "The token was not given to an application that FEED_SIGN_IN_APPS names.",
  scope: "The token permits other things than FEED_SIGN_IN_SCOPE names.",
  endless: "The token has no end.",
  ended: "The token has expired: sign in again.",
  early: "The token is not good yet: check the clocks.",
  future: "The token does not say when it was made, or that was in the future: check the clocks.",
  person: "The token does not say whose it is.",
} as const;

type TokenReason = keyof typeof REASONS;

/** The refusal of a token. */
class TokenRefusal extends SignInRefusal {
  constructor(readonly reason: TokenReason) {
    super("unfit", REASONS[reason]);
  }
}

type Claims = Readonly<Record<string, unknown>>;

/** The inputs of the checks, after the signature was verified. */
interface Seen {
  claims: Claims;
  header: ProtectedHeaderParameters;
  signIn: SignIn;
  nowSeconds: number;
}

type Check = readonly [TokenReason, (seen: Seen) => boolean];

const CHECKS: readonly Check[] = [
  ["type", ({ header }) => TYPES.includes(String(header.typ).toLowerCase().replace("application/", ""))],
  ["identity", ({ claims }) => !isIdToken(claims)],
  ["issuer", ({ claims, signIn }) => claims.iss === signIn.issuer],
  ["tenant", isOfTenant],
  ["audience", ({ claims, signIn }) => [claims.aud].flat().includes(signIn.audience)],
  ["application", isOfApplication],
  ["scope", hasScope],
  ["endless", ({ claims }) => Number.isFinite(claims.exp)],
  ["ended", ({ claims, nowSeconds }) => Number(claims.exp) > nowSeconds - TOLERANCE_SECONDS],
  ["early", ({ claims, nowSeconds }) => claims.nbf === undefined || isPast(claims.nbf, nowSeconds)],
  ["future", ({ claims, nowSeconds }) => isPast(claims.iat, nowSeconds)],
  ["person", ({ claims, signIn }) => isText(claims[SUBJECTS[signIn.profile]])],
];

/** The claim that identifies a person: Entra's `sub` differs per application. */
const SUBJECTS = { oidc: "sub", entra: "oid" } as const;

/**
 * Verifies an access token, and gives its person and the time from which it is refused.
 * @throws TokenRefusal with its reason; SignInRefusal where the identity provider's keys cannot be read.
 */
export async function verifyToken(
  token: string,
  signIn: SignIn,
  { keys }: Pick<Discovered, "keys">,
  nowMs: number,
): Promise<SignedIn> {
  const header = readHeader(token);
  const claims = readClaims(await verifySignature(token, keys));
  const seen = { claims, header, signIn, nowSeconds: Math.floor(nowMs / 1000) };
  for (const [reason, isGood] of CHECKS) {
    if (!isGood(seen)) throw new TokenRefusal(reason);
  }
  return { person: toPerson(claims, signIn), endsAtMs: (Number(claims.exp) + TOLERANCE_SECONDS) * 1000 };
}

function readHeader(token: string): ProtectedHeaderParameters {
  if (token.length > LONGEST_TOKEN || token.split(".").length !== 3) throw new TokenRefusal("form");
  const header = attempt(() => decodeProtectedHeader(token));
  if (header.alg === "none" || token.endsWith(".")) throw new TokenRefusal("unsigned");
  if (!ALGORITHMS.includes(String(header.alg))) throw new TokenRefusal("algorithm");
  if (typeof header.kid !== "string") throw new TokenRefusal("key");
  return header;
}

async function verifySignature(token: string, keys: Discovered["keys"]): Promise<Uint8Array> {
  try {
    return (await compactVerify(token, keys, { algorithms: ALGORITHMS })).payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) throw new TokenRefusal("key");
    if (error instanceof errors.JWKSMultipleMatchingKeys) throw new TokenRefusal("key");
    if (error instanceof errors.JWSSignatureVerificationFailed) throw new TokenRefusal("signature");
    if (error instanceof errors.JWSInvalid || error instanceof errors.JOSENotSupported) throw new TokenRefusal("form");
    throw toUnreachable(error);
  }
}

function readClaims(bytes: Uint8Array): Claims {
  const claims: unknown = attempt(() => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) throw new TokenRefusal("form");
  return claims as Claims;
}

function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new TokenRefusal("form");
  }
}

/**
 * Whether this is an ID token, by claims that only these have. Some access tokens have a nonce, but never without a
 * scope.
 */
function isIdToken(claims: Claims): boolean {
  const hasHash = claims.at_hash !== undefined || claims.c_hash !== undefined;
  const hasScope = claims.scope !== undefined || claims.scp !== undefined;
  return hasHash || claims.typ === "ID" || (claims.nonce !== undefined && !hasScope);
}

/** Compares the issuer with one built from the tenant, so that both must match. */
function isOfTenant({ claims: { tid }, signIn: { profile, issuer } }: Seen): boolean {
  return profile !== "entra" || (isText(tid) && `${new URL(issuer).origin}/${tid}/v2.0` === issuer);
}

/** Reads the application from RFC 9068's claim, Entra's, or older ones. A token without any is refused. */
function isOfApplication({ claims: { client_id, azp, cid, appid }, signIn: { profile, apps } }: Seen): boolean {
  if (profile === "entra" && azp === undefined) return false;
  const named = [client_id, azp, cid, appid].filter((app) => app !== undefined);
  return named.length > 0 && named.every((app) => apps.includes(String(app)));
}

function hasScope({ claims, signIn: { profile, scope } }: Seen): boolean {
  const granted = profile === "entra" ? claims.scp : claims.scope;
  return typeof granted === "string" && granted.split(" ").includes(scope);
}

function isPast(seconds: unknown, nowSeconds: number): boolean {
  return typeof seconds === "number" && seconds <= nowSeconds + TOLERANCE_SECONDS;
}

/** Whether a value is safe for logs and lists: a terminal obeys control characters. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_TEXT && !/\p{C}/u.test(value);
}

function toPerson(claims: Claims, { issuer, profile, rolesClaim }: SignIn): Person {
  const name = [claims.preferred_username, claims.upn, claims.email, claims.name].find(isText);
  const roles = [claims[rolesClaim]].flat().filter(isText);
  return { id: `${issuer} ${claims[SUBJECTS[profile]]}`, ...(name === undefined ? {} : { name }), roles };
}
