import { generateKeyPairSync, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { APIResponse, Browser, Page } from "playwright-core";
import { HELD, PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { createControls } from "../../src/sandbox";
import { createMarks, type Marks } from "../companion/canary-marks";
import { type CanaryProvider, startCanaryProvider } from "../companion/canary-provider";
import { type OfficeHost, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { CONNECTED, openSettings } from "../support/pane-page";
import { readStored } from "./persisted-answers";
import { issueShownCode } from "./shown-code";

jest.setTimeout(60_000);

const TOKEN = `canary/token+${randomBytes(24).toString("hex")}==`;
const JANUARY = [[["2024-01"]], null, [[1]], null, null, [[false]]];

let browser: Browser;
let provider: CanaryProvider;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

beforeAll(async () => {
  [browser, provider] = await Promise.all([launchBrowser(), startCanaryProvider(TOKEN)]);
});
afterAll(() => Promise.all([browser.close(), provider.close()]));

const status = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor();

const readShown = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value);
    return [document.documentElement.outerHTML, document.title, location.href, ...fields].join("\n");
  });

describe.each(["sign", "relay"] as const)("the pane at a provider that quotes its requests, in the mode %s", (mode) => {
  let companion: RunningCompanion;
  let host: OfficeHost;
  let marks: Marks;
  let answers: [string, string][];
  let said: string[];
  /** How far the clock of companion and provider has advanced. */
  let laterMs: number;
  const settings: Record<string, string> = {};

  beforeEach(async () => {
    laterMs = 0;
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
    host = await openOfficeHost(browser, { origin: companion.origin, settings });
    answers = [];
    said = [];
    host.page.on("console", (message) => said.push(message.text()));
    // Recorded on arrival: the browser discards bodies when the page is reloaded.
    await host.page.route(`${companion.origin}/**`, async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      answers.push(await readAnswer(response));
      await route.fulfill({ response });
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    // A request may be pending at both; closing the page is no fault of the second.
    await host.page.context().unrouteAll({ behavior: "ignoreErrors" });
    await host.page.unrouteAll({ behavior: "wait" });
    await host.close();
    await companion.close();
  });

  const readAnswer = async (response: APIResponse): Promise<[string, string]> => {
    const { pathname } = new URL(response.url());
    return [
      `answer to ${pathname}`,
      `${response.url()} ${JSON.stringify(response.headers())} ${await response.text()}`,
    ];
  };

  const pair = async (page: Page) => {
    await openSettings(page);
    const code = await issueShownCode(companion, page);
    marks.add("code", code, code.replace("-", ""));
    await page.getByRole("textbox", { name: "Pairing code" }).fill(code);
    await page.keyboard.press("Enter");
    await status(page, CONNECTED);
    const bearer = await page.evaluate((key) => localStorage.getItem(key), PAIRING_STORAGE_KEY);
    marks.add("bearer", String(bearer));
  };

  /** Cells that fail in every way, and a connection that fails too. */
  const fail = async (page: Page): Promise<string[]> => {
    const delivered: string[] = [];
    const moods = [
      { status: 400 },
      { status: 403 },
      { status: 401 },
      { mood: "html" },
      { mood: "redirecting" },
    ] as const;
    for (const [index, mood] of moods.entries()) {
      Object.assign(provider, { mood: "quoting" as const, ...mood });
      const cell = host.call("RANKING", [[[`2024-0${index + 1}`]], ...JANUARY.slice(1)]);
      delivered.push(JSON.stringify(await host.next(cell)));
    }
    Object.assign(provider, { mood: "quoting", status: 401 });
    await page.reload();
    await status(page, "Not connected");
    const failed = await readShown(page);
    provider.mood = "well";
    return [...delivered, failed];
  };

  it("stores, shows and logs no secret but its own bearer in its origin's storage", async () => {
    const { page } = host;
    await pair(page);
    const connected = await readShown(page);
    const failures = await fail(page);
    // In relay mode the companion waits five seconds after a refused exchange.
    laterMs = 5000;
    await page.reload();
    await status(page, CONNECTED);
    for (const { body } of provider.seen) {
      const assertion = new URLSearchParams(body).get("client_assertion") ?? HELD;
      if (assertion !== HELD) marks.add("assertion", ...assertion.split(".").slice(1));
    }

    const persisted = await readStored(page);
    expect(Object.keys(persisted).filter((place) => marks.find(persisted[place] ?? "").length > 0)).toEqual([
      `local storage: ${PAIRING_STORAGE_KEY}`,
    ]);
    expect(marks.find(persisted[`local storage: ${PAIRING_STORAGE_KEY}`] ?? "")).toEqual(["bearer"]);
    const cookies = JSON.stringify(await page.context().cookies());
    const shown = [
      connected,
      await readShown(page),
      ...failures,
      ...said,
      ...host.errors,
      JSON.stringify(settings),
      cookies,
    ];
    expect(shown.flatMap(marks.find)).toEqual([]);
    const found = answers.flatMap(([place, text]) => marks.find(text).map((name) => `${name} in ${place}`));
    expect([...new Set(found)].sort()).toEqual([
      ...(mode === "sign" ? ["assertion in answer to /companion/assertion"] : []),
      "bearer in answer to /companion/pairing",
      ...(mode === "sign" ? ["token in answer to /companion/relay/token"] : []),
    ]);
  });
});
