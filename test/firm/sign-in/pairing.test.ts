import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { toFolder } from "../../../src/companion/machine";
import type { SignIn } from "../../../src/firm/configuration";
import { createPersonCodes } from "../../../src/firm/sign-in";
import { createMemoryOneTimeValues } from "../../../src/firm/stores/memory";
import { type PairedCompanion, startPaired } from "../../companion/paired-companion";
import { createConfiguration, withFirm } from "../../companion/test-configuration";
import { type CodeIssuer, startCodeIssuer } from "./code-issuer";
import { createSignIn, type FirmCompanion, ORIGIN, PANE, PANE_SECRET, startFirm } from "./firm";

const MINUTE_MS = 60_000;
const HOURS_MS = 60 * MINUTE_MS;
const SIGNED_IN = { person: { id: "https://login.example.com ada", roles: ["analyst"] }, endsAtMs: 1 };

let issuer: CodeIssuer;
let firm: FirmCompanion;
let own: PairedCompanion | undefined;
const folder = mkdtempSync(join(tmpdir(), "feed-sign-in-"));

beforeAll(async () => {
  issuer = await startCodeIssuer();
});
beforeEach(async () => {
  firm = await startFirm(createSignIn(issuer.url), { proxies: ["127.0.0.1"] });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await firm.app.close();
  await own?.app.close();
  own = undefined;
});
afterAll(async () => {
  await issuer.close();
  rmSync(folder, { recursive: true });
});

/** Signs a person in, and gives the code for their pane. */
async function signIn(sub = "ada"): Promise<string> {
  const token = await issuer.issue(sub);
  return JSON.parse((await firm.send("POST", "/companion/sign-in", {}, { token })).body).code;
}

/** A personal companion, whose pane can set it up unless people sign in. */
async function startOnThisMachine(signIn?: SignIn): Promise<PairedCompanion> {
  const configuration = createConfiguration(undefined, { mode: "relay", features: withFirm({ signIn }) });
  own = await startPaired({ configuration, folder: toFolder(folder) });
  return own;
}

const exchange = (code: string, from = "10.0.0.1") =>
  firm.send("POST", "/companion/pairing", { "x-forwarded-for": from }, { code });
const pair = async (code: string): Promise<string> => JSON.parse((await exchange(code)).body).bearer;
const readConfiguration = (bearer: string) => firm.send("GET", "/companion/config", { "feed-pairing": bearer });

describe("a code of a person who signed in", () => {
  it("is accepted in any letter case, with blanks and dashes", async () => {
    const [code = "", secret] = (await signIn()).split(".");
    expect((await exchange(` ${code.toLowerCase().replace("-", " ")} .${secret}`)).status).toBe(200);
  });

  it("is one of many; each person can have several panes", async () => {
    const codes = await Promise.all(["ada", "bob", "ada"].map(signIn));
    const bearers = await Promise.all(codes.map(pair));
    expect(new Set(bearers).size).toBe(3);
    const names = (await firm.pairings.list()).map(({ person }) => person?.name);
    expect(names.sort()).toEqual(["ada", "ada", "bob"]);
  });

  it("survives others' wrong attempts from any address", async () => {
    const code = await signIn();
    for (let tries = 0; tries < 40; tries++) await exchange("AAAA-AAAA", `10.0.0.${tries}`);
    expect((await exchange(code)).status).toBe(200);
  });

  it("can be guessed ten times a minute by its pane, from all addresses together", async () => {
    const [code = "", secret = ""] = (await signIn()).split(".");
    const statuses: number[] = [];
    for (let tries = 0; tries <= 10; tries += 1) {
      const { status, headers } = await exchange(`AAAA-AAAA.${secret}`, `10.0.0.${tries}`);
      statuses.push(status);
      if (status === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
    expect((await exchange(`${code}.${secret}`, "10.0.1.1")).status).toBe(429);
    expect((await exchange(await signIn("bob"), "10.0.0.1")).status).toBe(200);
  });

  it("appears in no log, nor does the bearer", async () => {
    const code = await signIn();
    const bearer = await pair(code);
    const lines = firm.lines.join("");
    const [typed = "", secretOfPage = ""] = code.split(".");
    for (const secret of [typed, typed.replace("-", ""), secretOfPage, bearer, "eyJ"])
      expect(lines).not.toContain(secret);
    expect(lines).toMatch(
      /"origin":"https:\/\/feed.example.com","person":"[^"]+ ada","name":"ada","msg":"A page was paired."/,
    );
  });

  it("names the sign-in page if it is wrong", async () => {
    const { status, headers, body } = await exchange("AAAA-AAAA");
    expect([status, headers["feed-refusal"], JSON.parse(body).error.message]).toEqual([
      403,
      "FEED_PAIRING_CODE_WRONG",
      "That is not the pairing code for this page, or it has ended. For a new one, sign in again from the FEED pane.",
    ]);
  });

  it.each([
    ["is valid for five minutes", 5 * MINUTE_MS - 100, SIGNED_IN],
    ["is invalid afterwards", 5 * MINUTE_MS + 100, undefined],
  ])("%s", async (_, passedMs, found) => {
    const codes = createPersonCodes(createMemoryOneTimeValues());
    const issuedAt = performance.now();
    const clock = jest.spyOn(performance, "now").mockReturnValue(issuedAt);
    const code = await codes.issue(SIGNED_IN, PANE);
    clock.mockReturnValue(issuedAt + passedMs);
    expect(await codes.take(`${code}.${PANE_SECRET}`)).toEqual(found);
  });

  it("is valid for the pane that began the sign-in, whatever another pane tries", async () => {
    const codes = createPersonCodes(createMemoryOneTimeValues());
    const code = await codes.issue(SIGNED_IN, PANE);
    for (const sent of [code, `${code}.another`, `${code}.${PANE}`, `.${PANE_SECRET}`]) {
      expect(await codes.take(sent)).toBeUndefined();
    }
    expect(await codes.take(`${code}.${PANE_SECRET}`)).toEqual(SIGNED_IN);
    expect(await codes.take(`${code}.${PANE_SECRET}`)).toBeUndefined();
  });

  it("is stored in a form that cannot be typed", async () => {
    const oneTimeValues = createMemoryOneTimeValues();
    const stored: string[] = [];
    const put: typeof oneTimeValues.put = (key, value, lifetimeMs) => {
      stored.push(key, JSON.stringify(value));
      return oneTimeValues.put(key, value, lifetimeMs);
    };
    const code = await createPersonCodes({ ...oneTimeValues, put }).issue(SIGNED_IN, PANE);
    expect(stored).toHaveLength(2);
    expect(stored.join()).not.toMatch(new RegExp(`${code}|${code.replace("-", "")}`, "i"));
  });
});

describe("the code of the terminal", () => {
  it("pairs an administrator, without a person and an end", async () => {
    expect((await exchange(await firm.pairings.issueSent())).status).toBe(200);
    const [pairing] = await firm.pairings.list();
    expect([pairing?.person, pairing?.endsAtMs]).toEqual([undefined, undefined]);
  });

  it("can be tried ten times a minute from all addresses; people's codes do not count", async () => {
    for (let people = 0; people < 15; people++)
      expect((await exchange(await signIn(`person-${people}`))).status).toBe(200);
    const statuses: number[] = [];
    for (let tries = 0; tries <= 10; tries++)
      statuses.push((await exchange(`AAAA-AAAA.of page ${tries}`, `10.0.0.${tries}`)).status);
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
  });
});

describe("the pairing of a person who signed in", () => {
  it("ends with the sign-in, and the refusal says where to sign in again", async () => {
    const [first, second] = [await pair(await signIn()), await pair(await signIn("bob"))];
    const [{ endsAtMs = 0 } = {}] = await firm.pairings.list();
    expect(Math.abs(endsAtMs - Date.now() - 10 * HOURS_MS)).toBeLessThan(60_000);
    await firm.pairings.revoke((await firm.pairings.list())[1]?.id);
    for (const bearer of [second, "guessed"]) {
      const { status, headers, body } = await readConfiguration(bearer);
      expect([status, headers["feed-refusal"], JSON.parse(body).error.message]).toEqual([
        401,
        "FEED_SIGNER_REFUSED",
        `You are not signed in to the companion, or that has ended. Sign in from the FEED pane, which leads to ${ORIGIN}/sign-in`,
      ]);
    }
    expect((await readConfiguration(first)).status).toBe(200);
  });

  it("cannot set up a provider, which all people of the firm use", async () => {
    const { send } = await startOnThisMachine(createSignIn(issuer.url));
    expect((await send("GET", "/companion/keys", { "content-type": "application/json" })).status).toBe(404);
  });
});

it("the sign-in pages and routes do not exist if no sign-in is configured", async () => {
  const { send } = await startOnThisMachine();
  const statuses: number[] = [];
  for (const path of ["/sign-in", "/sign-in/callback", "/companion/sign-in", "/companion/keys"]) {
    statuses.push((await send("GET", path)).status);
  }
  expect(statuses).toEqual([404, 404, 404, 200]);
});
