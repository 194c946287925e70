import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { sendRaw } from "./raw-request";
import { fillFolder, openFolder, readSettings, WANTED } from "./set-up-companion";

const STRANGER = { [CLIENT_HEADER]: CLIENT_NAME };
const TREE = "/sandbox/asia/industry-taxonomies/v1/tree";
const { folder, start } = openFolder();

describe("the return to sample data", () => {
  it("removes the provider's settings, keeps the others and the keys, and needs no restart", async () => {
    await fillFolder(folder, { LOG_LEVEL: "silent" });
    const { send, headers, port, pair, messages } = await start();
    expect((await sendRaw(port, "GET", TREE)).status).toBe(404);
    const { status, json } = await send(headers, "DELETE", "/config");
    expect([status, json.sample, json.clientId]).toEqual([200, true, "sample-client"]);
    expect(readSettings(folder)).toEqual({ LOG_LEVEL: "silent" });
    expect((await sendRaw(port, "GET", TREE)).status).toBe(401); // it answers requests with a token
    expect((await send(STRANGER, "POST", "/assertion", {})).json.clientId).toBe("sample-client");
    expect((await send(await pair(), "GET", "/keys")).json.keys).toHaveLength(1);
    expect(messages.join()).toContain("Sample data answers now");
  });

  it("ends every pairing, so that none made with the provider can set up another", async () => {
    await fillFolder(folder);
    const { send, headers } = await start();
    await send(headers, "DELETE", "/config");
    expect((await send(headers, "PUT", "/config", WANTED)).status).toBe(401);
  });

  it("lasts after a restart, and a provider can be set up again", async () => {
    await fillFolder(folder);
    const first = await start();
    await first.send(first.headers, "DELETE", "/config");
    await first.app.close();
    const next = await start();
    expect((await next.send(STRANGER, "GET", "/config")).json.sample).toBe(true);
    expect((await next.send(next.headers, "PUT", "/config", WANTED)).json).toMatchObject({ ...WANTED, sample: false });
  });

  it("is refused to strangers, and if the environment gives any provider setting", async () => {
    await fillFolder(folder);
    const { send, headers } = await start({ environment: { FEED_MODE: "relay" } });
    expect((await send(STRANGER, "DELETE", "/config")).status).toBe(401);
    const { status, json } = await send(headers, "DELETE", "/config");
    expect([status, json.error.message]).toEqual([409, expect.stringContaining("FEED_MODE")]);
    expect(readSettings(folder).FEED_CLIENT_ID).toBe(WANTED.clientId);
  });

  it("changes nothing without a provider", async () => {
    mkdirSync(folder.path);
    writeFileSync(folder.settings, '{"LOG_LEVEL":"silent"}', { mode: 0o600 });
    const { send, headers } = await start();
    expect((await send(headers, "DELETE", "/config")).json.sample).toBe(true);
    expect(readSettings(folder)).toEqual({ LOG_LEVEL: "silent" });
  });
});
