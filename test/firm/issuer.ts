import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type RunningServer, startServer } from "../support/http-server";

export const AUDIENCE = "feed-for-excel";
const KEY_ID = "issuer-key";

/** Starts the identity provider of a simulated firm, with one key: it publishes that and metadata, and issues tokens. */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" }] };
  const server: RunningServer = await startServer(({ path }) => ({
    json: path === "/jwks" ? keys : describeIssuer(server.url),
  }));
  const { url } = server;
  return {
    url,
    /** @param lifetime of the token; default an hour */
    issue: (person: string, roles: readonly string[] = [], lifetime = "1h") =>
      new SignJWT({ client_id: AUDIENCE, scope: "feed.read", name: person, roles })
        .setProtectedHeader({ alg: "RS256", kid: KEY_ID, typ: "at+jwt" })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setSubject(person)
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(privateKey),
    close: server.close,
  };
}

/** The metadata that an issuer publishes. */
export const describeIssuer = (issuer: string, algorithm = "RS256") => ({
  issuer,
  jwks_uri: `${issuer}/jwks`,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: [algorithm],
});
