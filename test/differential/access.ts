import { createPublicKey, type JsonWebKey, type KeyObject, randomBytes, verify } from "node:crypto";

export const CLIENT = { clientId: "differential-client", keyId: "differential-key" };

/** The token endpoint, which accepts valid assertions alone. */
export interface Access {
  exchange(form: URLSearchParams, tokenUrl: string): { status: number; body: object };
  isGranted(authorization: string | undefined): boolean;
  /** The reasons of refused assertions. */
  refusals: string[];
  tokens: number;
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const LONGEST_SECONDS = 300;
const CLOCK_SECONDS = 5;

/**
 * @param jwk The client's public key.
 * @param lifetimeSeconds Of a token; short, so that tokens expire while lists are read.
 */
export function createAccess(jwk: JsonWebKey, lifetimeSeconds: number): Access {
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const expiries = new Map<string, number>();
  const ids = new Set<string>();
  const access: Access = {
    refusals: [],
    tokens: 0,
    exchange(form, tokenUrl) {
      const refusal = compare(form, tokenUrl, publicKey, ids, Date.now() / 1_000);
      if (refusal !== undefined) {
        access.refusals.push(refusal);
        return { status: 401, body: { error: "invalid_client", error_description: refusal } };
      }
      const token = randomBytes(24).toString("base64url");
      expiries.set(token, Date.now() + lifetimeSeconds * 1_000);
      access.tokens += 1;
      return { status: 200, body: { access_token: token, token_type: "bearer", expires_in: lifetimeSeconds } };
    },
    isGranted: (authorization = "") => (expiries.get(authorization.replace(/^Bearer /, "")) ?? 0) > Date.now(),
  };
  return access;
}

/** Finds the mistake of a token request; nothing if it follows the document. */
function compare(
  form: URLSearchParams,
  tokenUrl: string,
  key: KeyObject,
  ids: Set<string>,
  nowSeconds: number,
): string | undefined {
  if (form.get("grant_type") !== "client_credentials") return "grant_type";
  if (form.get("client_assertion_type") !== ASSERTION_TYPE) return "client_assertion_type";
  if (form.get("client_id") !== CLIENT.clientId) return "client_id";
  const [head = "", body = "", signature = ""] = (form.get("client_assertion") ?? "").split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}");
  const [header, claims] = [read(head), read(body)];
  if (header.alg !== "RS256" || header.typ !== "JWT" || header.kid !== CLIENT.keyId) return "header";
  if (!verify("RSA-SHA256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")))
    return "signature";
  if (claims.iss !== CLIENT.clientId || claims.sub !== CLIENT.clientId) return "iss or sub";
  if (claims.aud !== tokenUrl) return "aud";
  if (!(claims.iat <= nowSeconds + CLOCK_SECONDS)) return "iat";
  if (!(claims.exp > nowSeconds && claims.exp - claims.iat <= LONGEST_SECONDS)) return "exp";
  if (typeof claims.jti !== "string" || ids.has(claims.jti)) return "jti";
  ids.add(claims.jti);
  return undefined;
}
