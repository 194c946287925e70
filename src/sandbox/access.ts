import { randomBytes } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { type OperationId, SCOPES, TOKEN_LIFETIME_SECONDS } from "../contract/constants";
import contract from "../contract/generated/openapi.json";
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
