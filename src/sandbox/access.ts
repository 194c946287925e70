import { randomBytes } from "node:crypto";
import {
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import {
  ASSERTION_LIFETIME_LIMIT_SECONDS,
  ASSERTION_TYPE,
  GRANT_TYPE,
  type OperationId,
  SCOPES,
  TOKEN_LIFETIME_SECONDS,
} from "../contract/constants";
import contract from "../contract/generated/openapi.json";
import type { TokenResponse } from "../contract/types";
import type { Controls } from "./controls";
import { Refusal } from "./errors";

/** The grant of an access token. */
export interface Grant {
  clientId: string;
  scopes: string[];
  countries: string[] | "ALL";
}

/** All scopes that the API document names, without the access scopes of countries (§5.4). */
export const ALL_SCOPES: string[] = [
  SCOPES.company,
  SCOPES.financials,
  ...SCOPES.taxonomy,
  ...Object.values(SCOPES.rankings),
];

/** The access scope of a country: the document does not show its name (§5.4), so this one is the sandbox's own. */
const toCountryScope = (country: string) => `country:${country}:read`;
const EVERY_COUNTRY = toCountryScope("*");

function toScopeText({ scopes, countries }: Grant): string {
  const countryScopes = countries === "ALL" ? [EVERY_COUNTRY] : countries.map(toCountryScope);
  return [...scopes, ...countryScopes].join(" ");
}

function toGrant(clientId: string, scopeText: string): Grant {
  const all = scopeText.split(" ");
  const countries = all.flatMap((scope) => /^country:([A-Z]{3}):read$/.exec(scope)?.[1] ?? []);
  return {
    clientId,
    scopes: all.filter((scope) => !scope.startsWith("country:")),
    countries: all.includes(EVERY_COUNTRY) ? "ALL" : countries,
  };
}

type Requirement = { accessToken: string[] };

/** Scopes of each operation in the contract: any one of the lists is enough. */
const REQUIRED = new Map<string, string[][]>(
  Object.values(contract.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId, security }: { operationId: string; security?: Requirement[] }) => [
      operationId,
      (security ?? []).map(({ accessToken }) => accessToken),
    ]),
  ),
);
// The document shows no scope for this path (§4.5); it lists companies, so it needs the scope of the search.
REQUIRED.set("listCompaniesWalkThrough", [[SCOPES.company]]);

/** Issues access tokens and checks them on each request. */
export interface Access {
  createToken(grant: Grant): Promise<string>;
  /**
   * Checks the Authorization header and the scopes an operation needs.
   * @throws Refusal (UNAUTHORISED, INSUFFICIENT_SCOPE)
   */
  verifyRequest(operationId: OperationId, authorization: string | undefined): Promise<Grant>;
}

/** Creates access with a signing key of its own that lives as long as the process. */
export function createAccess(nowMs: () => number, controls: Controls): Access {
  const key = randomBytes(32);
  const read = async (token: string) => {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], currentDate: new Date(nowMs()) });
      return payload;
    } catch {
      throw refuseToken("The access token is invalid or has expired.");
    }
  };
  return {
    createToken(grant) {
      const iat = Math.floor(nowMs() / 1000);
      const claims = { scope: toScopeText(grant), generation: controls.tokenGeneration };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
        .setSubject(grant.clientId)
        .setIssuedAt(iat)
        .setExpirationTime(iat + TOKEN_LIFETIME_SECONDS)
        .sign(key);
    },
    async verifyRequest(operationId, authorization) {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (token === undefined) throw refuseMissing();
      const payload = await read(token);
      if (payload.generation !== controls.tokenGeneration) throw refuseToken("The access token was revoked.");
      const grant = toGrant(String(payload.sub), String(payload.scope));
      verifyScopes(REQUIRED.get(operationId) ?? [], grant);
      return grant;
    },
  };
}

function verifyScopes(alternatives: string[][], grant: Grant): void {
  if (alternatives.some((scopes) => scopes.every((scope) => grant.scopes.includes(scope)))) return;
  const needed = alternatives.map((scopes) => scopes.join(" ")).join(" or ");
  throw refuseScope(`The access token lacks the scope ${needed}.`, alternatives[0]?.join(" ") ?? "");
}

/**
 * The countries of a request: the requested one, or for ALL every granted country.
 * @throws Refusal (INSUFFICIENT_SCOPE) when the country, or for ALL any country, is not granted
 */
export function pickCountries(grant: Grant, country: string): ReadonlySet<string> | "ALL" {
  if (country === "ALL") {
    if (grant.countries.length === 0) throw refuseScope("The access token grants no country.", EVERY_COUNTRY);
    return grant.countries === "ALL" ? "ALL" : new Set(grant.countries);
  }
  if (grant.countries !== "ALL" && !grant.countries.includes(country)) {
    throw refuseScope(`The access token does not grant ${country}.`, toCountryScope(country));
  }
  return new Set([country]);
}

const refuseMissing = () =>
  new Refusal(401, "UNAUTHORISED", "The Authorization header must be Bearer and an access token.", null, {
    "www-authenticate": 'Bearer realm="sandbox"',
  });

const refuseToken = (message: string) =>
  new Refusal(401, "UNAUTHORISED", message, null, {
    "www-authenticate": 'Bearer realm="sandbox", error="invalid_token"',
  });

const refuseScope = (message: string, scope: string) =>
  new Refusal(403, "INSUFFICIENT_SCOPE", message, null, {
    "www-authenticate": `Bearer realm="sandbox", error="insufficient_scope", scope="${scope}"`,
  });

/** A client as it was registered (§5.1). */
export interface SandboxClient {
  clientId: string;
  /** Public RSA keys, each with the key identifier the provider gave it. */
  keys: { kid: string; publicKey: JWK }[];
  scopes: string[];
  /** ISO 3166-1 alpha-3 codes. */
  countries: string[] | "ALL";
}

type TokenErrorCode = "invalid_request" | "invalid_client" | "unsupported_grant_type";

/** A refused token request; the API document shows no body, so it is OAuth's (RFC 6749, 5.2). */
export class TokenRefusal extends Error {
  readonly status: number;

  constructor(
    readonly code: TokenErrorCode,
    description: string,
  ) {
    super(description);
    this.status = code === "invalid_client" ? 401 : 400;
  }
}

const refuseAssertion = (description: string) => new TokenRefusal("invalid_client", description);

/** Remembers the jti of every accepted assertion until it has expired and could not be used again anyway. */
export class AssertionMemory {
  readonly #expiries = new Map<string, number>();
  #sweepAfterSeconds = 0;

  get size(): number {
    return this.#expiries.size;
  }

  /** Adds a jti of a client; false when it is there already. */
  add(clientId: string, jti: string, expiresAtSeconds: number, nowSeconds: number): boolean {
    this.#sweep(nowSeconds);
    const key = JSON.stringify([clientId, jti]);
    if (this.#expiries.has(key)) return false;
    this.#expiries.set(key, expiresAtSeconds);
    return true;
  }

  #sweep(nowSeconds: number): void {
    if (nowSeconds < this.#sweepAfterSeconds) return;
    this.#sweepAfterSeconds = nowSeconds + 30;
    for (const [key, expiresAtSeconds] of this.#expiries)
      if (expiresAtSeconds <= nowSeconds) this.#expiries.delete(key);
  }
}

interface TokenForm {
  clientId: string;
  assertion: string;
}

function readForm(contentType: string | undefined, body: string): TokenForm {
  if (contentType?.split(";")[0]?.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new TokenRefusal("invalid_request", "The content type must be application/x-www-form-urlencoded.");
  }
  const form = new URLSearchParams(body);
  const readField = (name: string) => {
    const values = form.getAll(name);
    if (values.length > 1) throw new TokenRefusal("invalid_request", `${name} must be given once.`);
    if (!values[0]) throw new TokenRefusal("invalid_request", `${name} is missing.`);
    return values[0];
  };
  if (readField("grant_type") !== GRANT_TYPE) {
    throw new TokenRefusal("unsupported_grant_type", `grant_type must be ${GRANT_TYPE}.`);
  }
  if (readField("client_assertion_type") !== ASSERTION_TYPE) {
    throw new TokenRefusal("invalid_request", `client_assertion_type must be ${ASSERTION_TYPE}.`);
  }
  return { clientId: readField("client_id"), assertion: readField("client_assertion") };
}

/** Checks the header, then the signature with the key the header names. */
async function verifySignature(client: SandboxClient, assertion: string): Promise<JWTPayload> {
  const header = readHeader(assertion);
  if (header.alg !== "RS256") throw refuseAssertion("alg must be RS256.");
  if (header.typ !== "JWT") throw refuseAssertion("typ must be JWT.");
  const key = client.keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) throw refuseAssertion("kid is not a key of this client.");
  const publicKey = await importJWK(key.publicKey, "RS256");
  try {
    await compactVerify(assertion, publicKey, { algorithms: ["RS256"] });
  } catch {
    throw refuseAssertion("The signature does not fit the key that kid names.");
  }
  return readClaims(assertion);
}

function readHeader(assertion: string) {
  try {
    return decodeProtectedHeader(assertion);
  } catch {
    throw refuseAssertion("client_assertion is not a JWT.");
  }
}

function readClaims(assertion: string) {
  try {
    return decodeJwt(assertion);
  } catch {
    throw refuseAssertion("The claims are not a JSON object.");
  }
}

/** The claims' checks in the order they are made; each names what is wrong (§5.2). */
function findWrongClaim(
  claims: JWTPayload,
  clientId: string,
  audience: string,
  nowSeconds: number,
): string | undefined {
  const { iss, sub, aud, iat, exp, jti } = claims;
  if (iss !== clientId) return "iss must be the client_id.";
  if (sub !== clientId) return "sub must be the client_id.";
  if (typeof aud !== "string") return "aud must be one string.";
  if (aud !== audience) return `aud must be the token endpoint, ${audience}.`;
  if (!Number.isInteger(iat)) return "iat must be an integer of seconds.";
  if (!Number.isInteger(exp)) return "exp must be an integer of seconds.";
  if (exp! <= iat!) return "exp must be later than iat.";
  if (exp! - iat! > ASSERTION_LIFETIME_LIMIT_SECONDS) {
    return `exp must be at most ${ASSERTION_LIFETIME_LIMIT_SECONDS} seconds after iat.`;
  }
  if (exp! <= nowSeconds) return "exp is in the past.";
  if (iat! > nowSeconds) return "iat is in the future.";
  if (typeof jti !== "string" || jti === "") return "jti must be a text.";
  return undefined;
}

/** Exchanges the form of a token request for a token (§4.1). */
export interface TokenEndpoint {
  /** @throws TokenRefusal (invalid_request, invalid_client, unsupported_grant_type) */
  exchange(contentType: string | undefined, body: string): Promise<TokenResponse>;
}

/**
 * Creates the token endpoint.
 * @param tokenUrl the endpoint's own address, which aud must name
 */
export function createTokenEndpoint(
  clients: readonly SandboxClient[],
  access: Access,
  tokenUrl: () => string,
  nowMs: () => number,
): TokenEndpoint {
  const memory = new AssertionMemory();
  return {
    async exchange(contentType, body) {
      const { clientId, assertion } = readForm(contentType, body);
      const client = clients.find((known) => known.clientId === clientId);
      if (client === undefined) throw refuseAssertion("client_id is not registered.");
      const claims = await verifySignature(client, assertion);
      const nowSeconds = Math.floor(nowMs() / 1000);
      const wrong = findWrongClaim(claims, clientId, tokenUrl(), nowSeconds);
      if (wrong !== undefined) throw refuseAssertion(wrong);
      if (!memory.add(clientId, claims.jti!, claims.exp!, nowSeconds)) throw refuseAssertion("jti was used before.");
      const { scopes, countries } = client;
      const accessToken = await access.createToken({ clientId, scopes, countries });
      return { access_token: accessToken, token_type: "bearer", expires_in: TOKEN_LIFETIME_SECONDS };
    },
  };
}
