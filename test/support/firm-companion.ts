import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createCompanion } from "../../src/companion/companion";
import type { SignIn } from "../../src/firm/configuration";
import { createPersonCodes } from "../../src/firm/sign-in";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  withFirm,
} from "../companion/test-configuration";
import { AUDIENCE, createSignIn, makeToken, REGISTERED, toJwk } from "../firm/sign-in/firm";
import { type RunningServer, startServer } from "./http-server";
import type { RunningProvider } from "./provider";

const WEB = join(__dirname, "../../dist/web");
const TENANT = "11111111-2222-3333-4444-555555555555";

const ADA = { person: { id: "issuer ada", name: "ada", roles: [] } };

/** A firm's companion with sign-in, serving the built pages. */
export type FirmCompanion = Awaited<ReturnType<typeof startFirmCompanion>>;

/** @param port Where it listens; default any free port. */
export async function startFirmCompanion(
  { baseUrl, clientId, kid, privateKey }: RunningProvider,
  signIn: SignIn,
  port = 0,
) {
  const pairings = createTestPairings();
  const lines: string[] = [];
  const client = createClient(clientId, kid, privateKey);
  const configuration = createConfiguration(baseUrl, {
    mode: "relay",
    port,
    logLevel: "debug",
    provider: { baseUrl, client },
    features: withFirm({ signIn, refreshSeconds: 0 }), // a refresh refetches, however soon it comes
  });
  const log = { write: (line: string) => void lines.push(line) };
  const stores = createTestStores(pairings);
  const codes = createPersonCodes(stores.oneTimeValues);
  const app = await createCompanion({ configuration, webFolder: WEB, stores, log });
  await app.listen({ host: "127.0.0.1", port });
  return {
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    lines,
    /** Creates the code of the sign-in page, for the pane with this link. */
    makeCode: (link: string): Promise<string> =>
      codes.issue({ ...ADA, endsAtMs: Date.now() + 3_600_000 }, new URL(link).searchParams.get("pane")!),
    revoke: (): Promise<unknown> => pairings.revoke(),
    close: (): Promise<void> => app.close(),
  };
}

/** A firm's accounts in the form of Microsoft Entra ID: metadata, keys and tokens. */
export type RunningDirectory = Awaited<ReturnType<typeof startDirectory>>;

export async function startDirectory() {
  const { kty, n, e, kid, alg, use } = await toJwk("identity");
  const server: RunningServer = await startServer(({ path }) => {
    const issuer = `${server.url}/${TENANT}/v2.0`;
    if (path === `/${TENANT}/keys`) return { json: { keys: [{ kty, n, e, kid, alg, use }] } };
    const [authorization_endpoint, token_endpoint] = ["authorize", "token"].map((name) => `${issuer}/${name}`);
    return { json: { issuer, authorization_endpoint, token_endpoint, jwks_uri: `${server.url}/${TENANT}/keys` } };
  });
  const issuer = `${server.url}/${TENANT}/v2.0`;
  return {
    signIn: createSignIn(issuer, { profile: "entra" }),
    /** Issues a person's token; a test may change its claims. */
    createToken(changed?: object): Promise<string> {
      const nowSeconds = Math.floor(Date.now() / 1000);
      const person = {
        oid: "ada",
        tid: TENANT,
        name: "Ada",
        preferred_username: "ada@example.com",
        roles: ["analyst"],
      };
      const access = { iss: issuer, aud: AUDIENCE, azp: REGISTERED.client_id, scp: "feed.read", ver: "2.0" };
      const times = { iat: nowSeconds, nbf: nowSeconds, exp: nowSeconds + 3600 };
      return makeToken({ claims: { ...person, ...access, ...times, ...changed }, header: { typ: "JWT" } });
    },
    close: server.close,
  };
}
