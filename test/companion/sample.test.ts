import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Pairings } from "../../src/companion/api/pairing";
import { ensureCertificate } from "../../src/companion/certificate";
import { createCompanion } from "../../src/companion/companion";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { ASSERTION_TYPE, GRANT_TYPE } from "../../src/contract/constants";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";
import { createConfiguration, createTestPairings, createTestStores, pairHeaders } from "./test-configuration";

const STRANGER = { [CLIENT_HEADER]: CLIENT_NAME };
const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
const FORM = { ...STRANGER, "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { ...STRANGER, "content-type": "application/json" };
const TREE = "/asia/industry-taxonomies/v1/tree";

async function startCompanion(configuration: Configuration, pairings?: Pairings) {
  const app = await createCompanion({
    configuration,
    webFolder: createPages(),
    sample: { companies: 50 },
    stores: pairings && createTestStores(pairings),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, port: readPort(app) };
}

describe("the embedded sandbox", () => {
  it("is announced as sample data and uses the whole real path: sign, exchange, bearer, data", async () => {
    const { app, port } = await startCompanion(readConfiguration(ENVIRONMENT));
    const config = JSON.parse((await sendRaw(port, "GET", "/companion/config", STRANGER)).body);
    expect(config).toMatchObject({ sample: true, transport: "proxy", baseUrl: `http://127.0.0.1:${port}/sandbox` });

    const { clientId, assertion } = JSON.parse(
      (await sendRaw(port, "POST", "/companion/assertion", JSON_TYPE, "{}")).body,
    );
    const form = new URLSearchParams({
      grant_type: GRANT_TYPE,
      client_id: clientId,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    });
    const exchanged = await sendRaw(port, "POST", "/companion/relay/token", FORM, form.toString());
    expect(exchanged.status).toBe(200);
    const bearer = { ...STRANGER, authorization: `Bearer ${JSON.parse(exchanged.body).access_token}` };
    const relayed = await sendRaw(port, "GET", `/companion/relay${TREE}`, bearer);
    const direct = await sendRaw(port, "GET", `/sandbox${TREE}`, bearer);
    expect([relayed.status, relayed.body]).toEqual([200, direct.body]);
    await app.close();
  });

  it("does not exist beside a provider", async () => {
    const pairings = createTestPairings();
    const { app, port } = await startCompanion(createConfiguration(), pairings);
    const headers = await pairHeaders(pairings, `http://localhost:${port}`);
    expect(JSON.parse((await sendRaw(port, "GET", "/companion/config", headers)).body).sample).toBe(false);
    expect((await sendRaw(port, "GET", `/sandbox${TREE}`)).status).toBe(404);
    expect((await sendRaw(port, "POST", "/sandbox/token", FORM, "a=1")).status).toBe(404);
    await app.close();
  });

  it("is reached through the relay under the companion's own certificate", async () => {
    const folder = mkdtempSync(join(tmpdir(), "feed-certificate-"));
    const { certificate } = await ensureCertificate(folder, Date.now());
    const configuration = readConfiguration({ ...ENVIRONMENT, HOST: "localhost" });
    const app = await createCompanion({
      configuration,
      webFolder: createPages(),
      certificate,
      sample: { companies: 50 },
    });
    await app.listen({ host: "127.0.0.1", port: 0 });
    const port = readPort(app);
    const status = await new Promise((resolve, reject) => {
      const path = `/companion/relay${TREE}`;
      const options = { host: "localhost", port, path, ca: certificate.authority, headers: STRANGER };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(401);
    await app.close();
    rmSync(folder, { recursive: true });
  });
});
