import type { RequestListener } from "node:http";
import { CLIENT_HEADER, CLIENT_NAME, HELD, PAIRING_HEADER } from "../../../src/contract/companion-api";
import type { Firm } from "../../../src/firm/configuration";
import { startPaired } from "../../companion/paired-companion";
import { createProviderServer } from "../../companion/provider-server";
import { sendRaw } from "../../companion/raw-request";
import { createConfiguration, withFirm } from "../../companion/test-configuration";

const HOUR_MS = 3_600_000;
const FINANCIALS = "/asia/private-markets/v1/financials";

/** A signed-in person, and their requests. */
export type Analyst = Awaited<ReturnType<TestFirm["signIn"]>>;

/** A firm's companion at a provider whose answers a test gives. */
export type TestFirm = Awaited<ReturnType<typeof openFirm>>;

const grant: RequestListener = (_request, response) =>
  response.end(JSON.stringify({ access_token: "token-1", expires_in: 300 }));

/** @param exchange The token endpoint's answer; default a token. */
export async function openFirm(firm: Partial<Firm>, answer: RequestListener, exchange = grant) {
  const provider = await createProviderServer((request, response) =>
    (request.url === "/token" ? exchange : answer)(request, response),
  );
  const baseUrl = `http://127.0.0.1:${provider.port}`;
  const configuration = createConfiguration(baseUrl, { mode: "relay", features: withFirm(firm) });
  const { app, port, pairings } = await startPaired({ configuration });
  const origin = `http://localhost:${port}`;
  const relay = "/companion/relay";
  return {
    origin,
    provider,
    listReads: () => provider.seen.filter(({ url }) => url !== "/token"),
    async signIn(name: string, roles: readonly string[]) {
      const signedIn = { person: { id: `issuer ${name}`, name, roles }, endsAtMs: Date.now() + HOUR_MS };
      const { bearer } = await pairings.pairPerson(signedIn, origin);
      const own = { [CLIENT_HEADER]: CLIENT_NAME, [PAIRING_HEADER]: bearer };
      const headers = { ...own, authorization: `Bearer ${HELD}` };
      const json = { ...headers, "content-type": "application/json" };
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      return {
        headers: own,
        get: (path: string) => sendRaw(port, "GET", relay + path, headers),
        post: (companyIds: readonly string[]) =>
          sendRaw(port, "POST", relay + FINANCIALS, json, JSON.stringify({ companyIds })),
        exchange: () => sendRaw(port, "POST", `${relay}/token`, form),
      };
    },
    async close() {
      await app.close();
      await provider.close();
    },
  };
}
