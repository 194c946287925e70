import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import { createConfiguration, privateKey } from "./configured";
import { createPages } from "./pages-folder";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { readPort, sendRaw } from "./raw-request";

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const BEARER = { authorization: "Bearer secret-bearer" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

let app: FastifyInstance;
let provider: ProviderServer;
let port: number;
const lines: string[] = [];

beforeAll(async () => {
  provider = await createProviderServer((request, response) => {
    if (request.url === "/token") response.end('{"access_token":"secret-token"}');
    else response.destroy();
  });
  const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { logLevel: "trace" });
  const log = { write: (line: string) => lines.push(line) };
  app = await createCompanion({ configuration, webFolder: createPages(), log });
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = readPort(app);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

describe("the logs", () => {
  it("hold no key, assertion, token or body at any level, whether calls succeed, fail or are refused", async () => {
    const signed = await sendRaw(port, "POST", "/companion/assertion", { "content-type": "application/json" }, "{}");
    const { assertion } = JSON.parse(signed.body);
    const exchanged = await sendRaw(port, "POST", "/companion/relay/token", FORM, `client_assertion=${assertion}`);
    expect(exchanged.body).toContain("secret-token");
    expect((await sendRaw(port, "GET", TREE, BEARER)).status).toBe(502);
    expect((await sendRaw(port, "GET", TREE, { ...BEARER, host: "evil.example" })).status).toBe(403);
    const claims = '{"note":"secret-claim"}';
    expect(
      (await sendRaw(port, "POST", "/companion/assertion", { "content-type": "application/json" }, claims)).status,
    ).toBe(400);
    expect((await sendRaw(port, "GET", "/companion/absent?token=secret-query", BEARER)).status).toBe(404);

    const logged = lines.join("");
    expect(logged).toContain("The provider could not be reached");
    expect(logged).toContain("own address only");
    const exponent = privateKey.export({ format: "jwk" }).d ?? "";
    for (const secret of [assertion, assertion.split(".")[2], "secret-", exponent, "PRIVATE KEY"]) {
      expect(logged.includes(secret)).toBe(false);
    }
  });
});
