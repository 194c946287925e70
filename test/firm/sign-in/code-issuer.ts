import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type RunningServer, startServer } from "../../support/http-server";
import { describeIssuer } from "../issuer";
import { AUDIENCE, ORIGIN, REGISTERED } from "./firm";

/** An OpenID Connect issuer of this process, which signs in whoever a code names: fast enough for thousands. */
export type CodeIssuer = Awaited<ReturnType<typeof startCodeIssuer>>;

export async function startCodeIssuer() {
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
    json: await (answers[path] ?? (() => describeIssuer(server.url, "ES256")))(String(body)),
  }));
  const { url, close } = server;
  return {
    url,
    /** Gives the browser's way back from the page that the companion led to, for a person. */
    toReturn({ searchParams }: URL, person: string) {
      const back = new URL(`${ORIGIN}/sign-in/callback`);
      back.searchParams.set("code", `${person} ${searchParams.get("nonce")}`);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return `${back.pathname}${back.search}`;
    },
    issue,
    close,
  };
}
