import { generateKeyPairSync, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Page } from "playwright-core";
import { HELD, PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { createControls } from "../../src/sandbox";
import { createMarks, type Marks } from "../companion/canary-marks";
import { type CanaryProvider, startCanaryProvider } from "../companion/canary-provider";
import { toOutcome } from "../office/deliveries";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { CONNECTED, enterCode, openSettings, waitForStatus } from "../support/pane-page";
import { readStored } from "./persisted-answers";
import { issueShownCode } from "./shown-code";
import { createOfficePaneAt } from "./surroundings";

const TOKEN = `canary/token+${randomBytes(24).toString("hex")}==`;
const JANUARY = [[["2024-01"]], null, [[1]], null, null, [[false]]];
const MOODS = [{ status: 400 }, { status: 403 }, { status: 401 }, { mood: "html" }, { mood: "redirecting" }] as const;

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
let provider: CanaryProvider;
let companion: RunningCompanion;
let marks: Marks;

const at = createOfficePaneAt(() => companion.origin);
beforeAll(async () => {
  provider = await startCanaryProvider(TOKEN);
});
afterEach(async () => {
  jest.restoreAllMocks();
  // A request may be pending at both; closing the page is no fault of the second.
  await at.page.context().unrouteAll({ behavior: "ignoreErrors" });
  await at.page.unrouteAll({ behavior: "wait" });
  await at.host.close();
  await companion.close();
});
afterAll(() => provider.close());

const readShown = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value);
    return [document.documentElement.outerHTML, document.title, location.href, ...fields].join("\n");
  });

/** Records each answer of the companion on arrival: the browser discards bodies when the page is reloaded. */
async function recordAnswers(page: Page): Promise<[place: string, text: string][]> {
  const answers: [string, string][] = [];
  await page.route(`${companion.origin}/**`, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    const text = `${response.url()} ${JSON.stringify(response.headers())} ${await response.text()}`;
    answers.push([`answer to ${new URL(response.url()).pathname}`, text]);
    await route.fulfill({ response });
  });
  return answers;
}

async function pair(page: Page): Promise<void> {
  await openSettings(page);
  const code = await issueShownCode(companion, page);
  marks.add("code", code, code.replace("-", ""));
  await enterCode(page, code);
  await waitForStatus(page, CONNECTED);
  marks.add("bearer", String(await page.evaluate((key) => localStorage.getItem(key), PAIRING_STORAGE_KEY)));
}

/** Cells that fail in every way, and a connection that fails too. */
async function fail(page: Page): Promise<string[]> {
  const delivered: string[] = [];
  for (const [index, mood] of MOODS.entries()) {
    Object.assign(provider, { mood: "quoting" as const, ...mood });
    const cell = at.host.call("RANKING", [[[`2024-0${index + 1}`]], ...JANUARY.slice(1)]);
    const delivery = await at.host.next(cell);
    expect(toOutcome(delivery)).toMatchObject({ error: { code: expect.any(String) } });
    delivered.push(JSON.stringify(delivery));
  }
  Object.assign(provider, { mood: "quoting", status: 401 });
  const authorization = `Bearer ${TOKEN}`;
  expect(provider.seen.some(({ headers }) => headers.authorization === authorization)).toBe(true);
  const quoted = await fetch(`http://127.0.0.1:${provider.port}`, { headers: { authorization } });
  expect(marks.find(await quoted.text())).toContain("token");
  await page.reload();
  await waitForStatus(page, "Not connected");
  const failed = await readShown(page);
  provider.mood = "well";
  return [...delivered, failed];
}

describe.each(["sign", "relay"] as const)("the pane at a provider that quotes its requests, in the mode %s", (mode) => {
  it("stores, shows and logs no secret but its own bearer in its origin's storage", async () => {
    /** How far the clock of companion and provider has advanced. */
    let laterMs = 0;
    const nowMs = Date.now;
    jest.spyOn(Date, "now").mockImplementation(() => nowMs() + laterMs);
    marks = createMarks();
    marks.add("token", TOKEN);
    marks.addKey("key", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    const baseUrl = `http://127.0.0.1:${provider.port}`;
    const client = { clientId: "client-1", kid: "kid-1", privateKey };
    companion = await startCompanion({
      mode,
      provider: { ...client, baseUrl, controls: createControls(), close: provider.close },
    });
    const settings: Record<string, string> = {};
    const page = await at.open({ settings });
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    const answers = await recordAnswers(page);

    await pair(page);
    const connected = await readShown(page);
    const failures = await fail(page);
    // In relay mode the companion waits five seconds after a refused exchange.
    laterMs = 5000;
    await page.reload();
    await waitForStatus(page, CONNECTED);
    for (const { body } of provider.seen) {
      const assertion = new URLSearchParams(body).get("client_assertion") ?? HELD;
      if (assertion !== HELD) marks.add("assertion", ...assertion.split(".").slice(1));
    }

    const persisted = await readStored(page);
    const marked = Object.entries(persisted).flatMap(([place, text]) => marks.find(text).map((name) => [place, name]));
    expect(marked).toEqual([[`local storage: ${PAIRING_STORAGE_KEY}`, "bearer"]]);
    const kept = [JSON.stringify(settings), JSON.stringify(await page.context().cookies())];
    const shown = [connected, await readShown(page), ...failures, ...said, ...at.host.errors, ...kept];
    expect(shown.flatMap(marks.find)).toEqual([]);
    const found = answers.flatMap(([place, text]) => marks.find(text).map((name) => `${name} in ${place}`));
    expect([...new Set(found)].sort()).toEqual([
      ...(mode === "sign" ? ["assertion in answer to /companion/assertion"] : []),
      "bearer in answer to /companion/pairing",
      ...(mode === "sign" ? ["token in answer to /companion/relay/token"] : []),
    ]);
  });
});
