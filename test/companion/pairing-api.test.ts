import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createPairings } from "../../src/companion/api/pairing";
import { createFilePairings } from "../../src/companion/api/pairing-state";
import type { Configuration } from "../../src/companion/configuration";
import { itOnPosix } from "../support/posix";
import { requestCode } from "./code-request";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { createConfiguration, createTestPairings, openFor, type TestPairings } from "./test-configuration";

const CLIENT = { "feed-client": "excel", "content-type": "application/json" };

let companion: PairedCompanion;
let port: number;
let pairings: TestPairings;
let logged: string[];

beforeEach(() => open());
afterEach(() => companion.app.close());

/** Starts a companion with its page of the arrangement unpaired. */
async function open(settings: Partial<Configuration> = {}, store: TestPairings = createTestPairings()) {
  const configuration = createConfiguration(undefined, { logLevel: "debug", ...settings });
  companion = await startPaired({ configuration, pairings: store, sample: { companies: 50 } });
  ({ port, pairings, lines: logged } = companion);
  await pairings.revoke();
}

const sendCode = (body: string) => sendRaw(port, "POST", "/companion/pairing", CLIENT, body);
const exchange = (code: string) => sendCode(JSON.stringify({ code }));
const readStatus = async (bearer: string) =>
  (await sendRaw(port, "GET", "/companion/config", { ...CLIENT, "feed-pairing": bearer })).status;

describe("the pairing routes", () => {
  it("give a bearer for the code, which opens the companion API to this origin", async () => {
    const { status, body, headers } = await exchange(await pairings.issueSent());
    expect([status, headers["cache-control"], headers["set-cookie"]]).toEqual([200, "no-store", undefined]);
    const { id, bearer, ...rest } = JSON.parse(body);
    expect(rest).toEqual({});
    expect(await pairings.list()).toMatchObject([{ id, origin: `http://localhost:${port}` }]);
    expect(await readStatus(bearer)).toBe(200);
  });

  it("let a page request a code, which is valid for that page alone", async () => {
    const [own, other] = [await requestCode(port), await requestCode(port)];
    const expected = [expect.stringMatching(/^[2-9A-HJ-NP-Z]{4}$/), expect.stringMatching(/^[\w-]{43}$/)];
    expect([own.name, own.secret]).toEqual(expected);
    const { code, name } = await pairings.issue(own.name);
    expect(name).toBe(own.name);
    for (const sent of [code, `${code}.${other.secret}`, `${code}.${own.page}`]) {
      const { status, headers } = await exchange(sent);
      expect([status, headers["feed-refusal"]]).toEqual([403, "FEED_PAIRING_CODE_WRONG"]);
    }
    expect((await exchange(`${code}.${own.secret}`)).status).toBe(200);
  });

  const malformed = ["", "{", "null", "[]", '"ABCD-EFGH"', '{"code":1}', '{"code":["ABCD-EFGH"]}', "{}"];
  it.each(malformed)("refuse the body '%s' without counting an attempt", async (body) => {
    const code = await pairings.issueSent();
    for (let tries = 0; tries < 6; tries += 1) {
      const { status, headers } = await sendCode(body);
      expect([status, headers["feed-refusal"]]).toEqual([
        400,
        body === "" || body === "{" ? "FEED_SIGNER_REFUSED" : "FEED_REQUEST_INVALID",
      ]);
    }
    expect((await exchange(code)).status).toBe(200);
  });

  it("log who was refused, where that is known", async () => {
    const { id, bearer } = JSON.parse((await exchange(await pairings.issueSent())).body);
    await sendRaw(port, "GET", "/companion/nothing", { ...CLIENT, "feed-pairing": bearer });
    await readStatus("invented");
    const refusals = logged.map((line) => JSON.parse(line)).filter(({ status }) => status >= 400);
    const expected = [
      [404, id],
      [401, null],
    ];
    expect(refusals.map(({ status, pairing }) => [status, pairing])).toEqual(expected);
  });

  itOnPosix("say where to look if the pairings file is open to others, without its path", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pairing-api-"));
    const path = join(folder, "pairings.json");
    await companion.app.close();
    await open({}, openFor(createPairings(createFilePairings(path), Date.now)));
    const { bearer } = JSON.parse((await exchange(await pairings.issueSent())).body);
    expect(await readStatus(bearer)).toBe(200);
    chmodSync(path, 0o644);
    const paired = await sendRaw(port, "GET", "/companion/config", { ...CLIENT, "feed-pairing": bearer });
    for (const { status, body } of [paired, await exchange("ABCD-EFGH")]) {
      expect([status, JSON.parse(body).error.message]).toEqual([503, expect.stringContaining("pair --list")]);
      expect(body).not.toContain(folder);
    }
    expect(logged.join("")).toContain("chmod 600");
    rmSync(folder, { recursive: true });
  });

  it("refuse a body larger than any code", async () => {
    expect((await exchange("A".repeat(2000))).status).toBe(413);
  });

  it("end a pairing for its own page alone", async () => {
    const [first, second] = [await exchange(await pairings.issueSent()), await exchange(await pairings.issueSent())];
    const [own, other] = [first, second].map(({ body }) => JSON.parse(body).bearer);
    const end = { "feed-client": "excel", "feed-pairing": own };
    expect((await sendRaw(port, "DELETE", "/companion/pairing", end)).status).toBe(204);
    expect([await readStatus(own), await readStatus(other)]).toEqual([401, 200]);
    expect((await sendRaw(port, "DELETE", "/companion/pairing", end)).status).toBe(401);
  });

  it("log who was paired and who ended it, never code or bearer", async () => {
    const code = await pairings.issueSent();
    await exchange("AAAA-AAAA");
    const { id, bearer } = JSON.parse((await exchange(code)).body);
    await sendRaw(port, "DELETE", "/companion/pairing", { "feed-client": "excel", "feed-pairing": bearer });
    const lines = logged.join("");
    const [typed = "", secretOfPage = ""] = code.split(".");
    const secrets = [typed, typed.replace("-", ""), secretOfPage, bearer, "AAAA-AAAA"];
    for (const secret of secrets) expect(lines).not.toContain(secret);
    const messages = logged.map((line) => JSON.parse(line)).filter(({ pairing }) => pairing === id);
    expect(messages.map(({ msg }) => msg)).toEqual(["A page was paired.", "A page ended its pairing."]);
  });
});

it("with sample data settings and assertions need no pairing, but its end does", async () => {
  await companion.app.close();
  await open({ provider: undefined });
  const answers = [
    await sendRaw(port, "GET", "/companion/config", CLIENT),
    await sendRaw(port, "POST", "/companion/assertion", CLIENT, "{}"),
    await sendRaw(port, "DELETE", "/companion/pairing", { "feed-client": "excel" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
});
