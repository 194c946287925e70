import { chmodSync, existsSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { toKeyPath } from "../../src/companion/key-folder";
import { CLIENT_HEADER, CLIENT_NAME, REFUSAL_HEADER } from "../../src/contract/companion-api";
import { itOnPosix } from "../support/posix";
import { fillFolder, openFolder, readSettings, WANTED } from "./set-up-companion";
import MISTAKEN from "./set-up-mistakes.json";

const STRANGER = { [CLIENT_HEADER]: CLIENT_NAME };
const { folder, start } = openFolder();

describe("set-up is refused", () => {
  /** Each changes fields of a complete form. */
  const mistaken = MISTAKEN.map(({ title, wanted, mistakes }) => [title, { ...WANTED, ...wanted }, mistakes] as const);

  it.each(mistaken)("for %s, naming every field, and changes nothing", async (_title, wanted, beginnings) => {
    await fillFolder(folder);
    const { send, headers, messages } = await start();
    const before = readSettings(folder);
    const { status, headers: answered, json } = await send(headers, "PUT", "/config", wanted);
    expect([status, answered[REFUSAL_HEADER]]).toEqual([400, "FEED_REQUEST_INVALID"]);
    const { mistakes, message } = json.error;
    expect(mistakes).toHaveLength(beginnings.length);
    for (const [index, beginning] of beginnings.entries()) expect(mistakes[index]).toContain(beginning);
    expect(message).toBe(mistakes.join(" "));
    expect(JSON.stringify(json)).not.toContain("secret");
    expect((await send(headers, "GET", "/config")).json).toMatchObject(WANTED);
    expect([readSettings(folder), messages]).toEqual([before, []]);
  });

  it.each<[string, unknown]>([
    ["a list", []],
    ["null", null],
    ["an unknown field", { ...WANTED, FEED_MODE: "relay" }],
    ["the key itself", { ...WANTED, privateKey: "-----BEGIN" }],
    ["the field of every object", JSON.stringify(WANTED).replace("{", '{"__proto__":{"a":1},')],
    ["a number", { ...WANTED, clientId: 1 }],
    ["broken JSON", "{"],
    ["no JSON at all", ""],
  ])("for %s", async (_title, body) => {
    await fillFolder(folder);
    const { send, headers } = await start();
    const { status, json } = await send(headers, "PUT", "/config", body);
    expect([status, json.error.message]).toEqual([400, expect.stringMatching(/^\w.+\.$/)]);
    expect((await send(headers, "GET", "/config")).json).toMatchObject(WANTED);
  });

  it("for an empty form with sample data, which stays with its pairings", async () => {
    const { send, headers, messages } = await start();
    const { status, json } = await send(headers, "PUT", "/config", {});
    expect(status).toBe(400);
    for (const field of ["baseUrl", "clientId", "keyId"]) expect(json.error.message).toContain(`${field} is missing`);
    const complete = await send(headers, "PUT", "/config", WANTED);
    expect([complete.status, complete.json.error.mistakes]).toEqual([
      400,
      ["No key was made here as yet: make one first."],
    ]);
    expect((await send(headers, "GET", "/config")).json.sample).toBe(true);
    expect((await send(headers, "GET", "/keys")).status).toBe(200);
    expect([existsSync(folder.settings), messages]).toEqual([false, []]);
  });

  it("to an unpaired page, with sample data too", async () => {
    const { send } = await start();
    for (const [method, path, body] of [
      ["PUT", "/config", WANTED],
      ["POST", "/keys", {}],
      ["GET", "/keys"],
    ] as const) {
      expect((await send(STRANGER, method, path, body)).status).toBe(401);
    }
    expect(existsSync(folder.path)).toBe(false);
  });

  it("for settings of the environment, by name, while the rest can change", async () => {
    const thumbprint = await fillFolder(folder);
    const environment = { FEED_BASE_URL: WANTED.baseUrl, FEED_CLIENT_ID: "client-0" };
    const { send, headers } = await start({ environment });
    expect((await send(headers, "GET", "/config")).json.settable).toEqual(["keyId", "thumbprint"]);
    const refused = await send(headers, "PUT", "/config", { ...WANTED, baseUrl: "https://other.example.com" });
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      expect.stringMatching(
        /^FEED_BASE_URL, FEED_CLIENT_ID cannot be changed from here: .+ start the companion again\.$/,
      ),
    ]);
    for (const wanted of [{ keyId: "kid-2" }, { ...WANTED, clientId: "client-0", keyId: "kid-3" }]) {
      const { status, json } = await send(headers, "PUT", "/config", wanted);
      expect([status, json]).toMatchObject([200, { clientId: "client-0", keyId: wanted.keyId, thumbprint }]);
    }
    expect(readSettings(folder)).toMatchObject({ FEED_CLIENT_ID: "client-1", FEED_KEY_ID: "kid-3" });
  });

  it("wholly if an administrator's key signs", async () => {
    await fillFolder(folder);
    const environment = {
      FEED_BASE_URL: WANTED.baseUrl,
      FEED_CLIENT_ID: "client-0",
      FEED_KEY_ID: "kid-0",
      FEED_PRIVATE_KEY_FILE: readSettings(folder).FEED_PRIVATE_KEY_FILE,
    };
    const { send, headers } = await start({ environment });
    expect((await send(headers, "GET", "/config")).json.settable).toEqual([]);
    for (const wanted of [{}, WANTED]) expect((await send(headers, "PUT", "/config", wanted)).status).toBe(409);
    const { status, json } = await send(headers, "POST", "/keys", {});
    expect([status, json.error.message]).toEqual([409, expect.stringContaining("FEED_KEY_ID cannot be changed")]);
  });

  it("for a key in the person's file or of a program, which would be lost", async () => {
    const thumbprint = await fillFolder(folder);
    await fillFolder(folder, {
      FEED_PRIVATE_KEY_FILE: undefined,
      FEED_SIGNER_COMMAND: '["signer"]',
      FEED_PUBLIC_KEY_FILE: `${toKeyPath(folder.keys, thumbprint)}.pub`,
    });
    const { send, headers } = await start();
    expect((await send(headers, "GET", "/config")).json.settable).toEqual(["baseUrl", "clientId"]);
    expect((await send(headers, "PUT", "/config", { ...WANTED, keyId: "kid-2" })).status).toBe(409);
    expect((await send(headers, "PUT", "/config", { ...WANTED, clientId: "client-2" })).status).toBe(200);
    expect(readSettings(folder)).toMatchObject({ FEED_SIGNER_COMMAND: '["signer"]', FEED_CLIENT_ID: "client-2" });
  });

  it.each([
    ["it is not offered", { isOffered: false }],
    ["others come by further origins", { environment: { ALLOWED_ORIGINS: "https://excel.example.com" } }],
  ])("if %s, with a sentence", async (_title, options) => {
    await fillFolder(folder);
    const { send, headers } = await start(options);
    expect((await send(headers, "GET", "/config")).json.settable).toEqual([]);
    for (const [method, path, body] of [
      ["PUT", "/config", WANTED],
      ["POST", "/keys", {}],
      ["GET", "/keys"],
    ] as const) {
      const { status, json } = await send(headers, method, path, body);
      expect([status, json.error.message]).toEqual([404, expect.stringContaining("Set it up where it is started")]);
    }
  });

  it("for a form that can be sent without a preflight", async () => {
    const { send, headers } = await start();
    const plain = { ...headers, "content-type": "text/plain" };
    expect((await send(plain, "PUT", "/config", WANTED)).status).toBe(415);
    expect((await send(plain, "POST", "/keys", {})).status).toBe(415);
  });

  itOnPosix("while the person's file is open to others", async () => {
    await fillFolder(folder);
    const { send, headers } = await start();
    chmodSync(folder.settings, 0o666);
    const { status, json } = await send(headers, "PUT", "/config", { ...WANTED, clientId: "client-2" });
    expect([status, json.error.message]).toEqual([500, expect.stringContaining("chmod")]);
  });
});
