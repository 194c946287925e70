import { request } from "node:https";
import { describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { ASSERTION_TYPE, GRANT_TYPE } from "../../src/contract/constants";
import { readTestCertificate } from "../support/certificate";
import { startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";

const STRANGER = { [CLIENT_HEADER]: CLIENT_NAME };
const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
const FORM = { ...STRANGER, "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { ...STRANGER, "content-type": "application/json" };
const TREE = "/asia/industry-taxonomies/v1/tree";

const sample = { companies: 50 };

describe("the embedded sandbox", () => {
  it("is announced as sample data and uses the whole real path: sign, exchange, bearer, data", async () => {
    const { app, port } = await startPaired({ configuration: readConfiguration(ENVIRONMENT), sample });
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
    const { app, port, send } = await startPaired({ sample });
    expect(JSON.parse((await send("GET", "/companion/config")).body).sample).toBe(false);
    expect((await sendRaw(port, "GET", `/sandbox${TREE}`)).status).toBe(404);
    expect((await sendRaw(port, "POST", "/sandbox/token", FORM, "a=1")).status).toBe(404);
    await app.close();
  });

  it("is reached through the relay under the companion's own certificate", async () => {
    const certificate = await readTestCertificate();
    const configuration = readConfiguration({ ...ENVIRONMENT, HOST: "localhost" });
    const { app, port } = await startPaired({ configuration, certificate, sample });
    const status = await new Promise((resolve, reject) => {
      const path = `/companion/relay${TREE}`;
      const options = { host: "localhost", port, path, ca: certificate.authority, headers: STRANGER };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(401);
    await app.close();
  });
});
