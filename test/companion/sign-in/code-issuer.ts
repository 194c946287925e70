import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type RunningServer, startServer } from "../../support/http-server";
import { AUDIENCE, ORIGIN, REGISTERED } from "./firm";

/** An OpenID Connect issuer of this process, which signs in whoever a code names: fast enough for thousands. */
export interface CodeIssuer {
  url: string;
  /** Gives the browser's way back from the page that the companion led to, for a person. */
  toReturn(page: URL, person: string): string;
  /** Issues a person's access token. */
  issue(person: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the issuer on a free port. */
export async function startCodeIssuer(): Promise<CodeIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "quick", alg: "ES256", use: "sig" }];
  const sign = (claims: Record<string, string>, audience: string, typ: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "quick", typ })
      .setIssuer(server.url)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
  const issue = (sub: string) =>
    sign({ sub, preferred_username: sub, client_id: REGISTERED.client_id, scope: "feed.read" }, AUDIENCE, "at+jwt");
  const exchange = async (body: string) => {
    const [sub = "", nonce = ""] = (new URLSearchParams(body).get("code") ?? "").split(" ");
    const idToken = await sign({ sub, nonce }, REGISTERED.client_id, "jwt");
    return { access_token: await issue(sub), id_token: idToken, token_type: "Bearer", expires_in: 300 };
  };
  const answers: Record<string, (body: string) => Promise<object> | object> = {
    "/jwks": () => ({ keys }),
    "/token": exchange,
  };
  const server: RunningServer = await startServer(async ({ path, body }) => ({
    json: await (answers[path] ?? (() => describe(server.url)))(String(body)),
  }));
  const { url, close } = server;
  return {
    url,
    toReturn({ searchParams }, person) {
      const back = new URL(`${ORIGIN}/sign-in/callback`);
      back.searchParams.set("code", `${person} ${searchParams.get("nonce")}`);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return `${back.pathname}${back.search}`;
    },
    issue,
    close,
  };
}

const describe = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/jwks`,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["ES256"],
});
