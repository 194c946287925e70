import { createPublicKey, type JsonWebKey, type KeyObject, randomBytes } from "node:crypto";
import { jwtVerify } from "jose";

export const CLIENT = { clientId: "differential-client", keyId: "differential-key" };

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const LONGEST_SECONDS = 300;
const CLOCK_SECONDS = 5;
/** Short, so that tokens expire while lists are read. */
const TOKEN_SECONDS = 60;

/**
 * Creates the token endpoint, which accepts valid assertions alone.
 * @param jwk The client's public key.
 */
export function createAccess(jwk: JsonWebKey) {
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const expiries = new Map<string, number>();
  const ids = new Set<string>();
  const access = {
    /** The reasons of refused assertions. */
    refusals: [] as string[],
    tokens: 0,
    async exchange(form: URLSearchParams, tokenUrl: string): Promise<{ status: number; body: object }> {
      const refusal = await findMistake(form, tokenUrl, publicKey, ids);
      if (refusal !== undefined) {
        access.refusals.push(refusal);
        return { status: 401, body: { error: "invalid_client", error_description: refusal } };
      }
      const token = randomBytes(24).toString("base64url");
      expiries.set(token, Date.now() + TOKEN_SECONDS * 1_000);
      access.tokens += 1;
      return { status: 200, body: { access_token: token, token_type: "bearer", expires_in: TOKEN_SECONDS } };
    },
    isGranted: (authorization = "") => (expiries.get(authorization.replace(/^Bearer /, "")) ?? 0) > Date.now(),
  };
  return access;
}

/** Finds the mistake of a token request; nothing if it follows the document. */
async function findMistake(
  form: URLSearchParams,
  audience: string,
  key: KeyObject,
  ids: Set<string>,
): Promise<string | undefined> {
  const { clientId, keyId } = CLIENT;
  if (form.get("grant_type") !== "client_credentials") return "grant_type";
  if (form.get("client_assertion_type") !== ASSERTION_TYPE) return "client_assertion_type";
  if (form.get("client_id") !== clientId) return "client_id";
  const expected = { algorithms: ["RS256"], typ: "JWT", issuer: clientId, subject: clientId, audience };
  const times = { maxTokenAge: LONGEST_SECONDS, clockTolerance: CLOCK_SECONDS, requiredClaims: ["exp"] };
  const verified = await jwtVerify(form.get("client_assertion") ?? "", key, { ...expected, ...times }).catch(String);
  if (typeof verified === "string") return verified;
  const { payload, protectedHeader } = verified;
  if (protectedHeader.kid !== keyId) return "kid";
  if (typeof payload.aud !== "string") return "aud";
  if (!(payload.exp! - payload.iat! <= LONGEST_SECONDS)) return "exp";
  if (typeof payload.jti !== "string" || ids.has(payload.jti)) return "jti";
  ids.add(payload.jti);
  return undefined;
}
