import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { AUDIENCE, ORIGIN, REGISTERED } from "./firm";

/** An OpenID Connect issuer of this process, which signs in whoever a code names: fast enough for thousands. */
export interface CodeIssuer {
  url: string;
  /** Gives the browser's way back from the page that the companion led to, for a person. */
  toReturn(page: URL, person: string): string;
  /** Issues a person's access token. */
  issue(person: string): Promise<string>;
  close(): void;
}

/** Starts the issuer on a free port. */
export async function startCodeIssuer(): Promise<CodeIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "quick", alg: "ES256", use: "sig" }];
  let url = "";
  const sign = (claims: Record<string, string>, audience: string, typ: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "quick", typ })
      .setIssuer(url)
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
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const answers: Record<string, () => Promise<object> | object> = {
      "/jwks": () => ({ keys }),
      "/token": () => exchange(body),
    };
    const said = await (answers[request.url ?? ""] ?? (() => describe(url)))();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    toReturn({ searchParams }, person) {
      const back = new URL(`${ORIGIN}/sign-in/callback`);
      back.searchParams.set("code", `${person} ${searchParams.get("nonce")}`);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return `${back.pathname}${back.search}`;
    },
    issue,
    close() {
      server.close();
      server.closeAllConnections();
    },
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
