import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type RunningServer, startServer } from "../support/http-server";

/** The identity provider of a simulated firm. */
export interface Issuer {
  url: string;
  /** Issues a person's access token for the companion. */
  issue(person: string, roles?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export const AUDIENCE = "feed-for-excel";
const KEY_ID = "issuer-key";

/** Starts an issuer with one key on a free port; it publishes key and metadata. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" }] };
  const server: RunningServer = await startServer(({ path }) => ({
    json: path === "/jwks" ? keys : describe(server.url),
  }));
  const { url } = server;
  return {
    url,
    issue: (person, roles = []) =>
      new SignJWT({ client_id: AUDIENCE, scope: "feed.read", name: person, roles })
        .setProtectedHeader({ alg: "RS256", kid: KEY_ID, typ: "at+jwt" })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setSubject(person)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey),
    close: server.close,
  };
}

const describe = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/jwks`,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
});
