import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import { createSignIn, REGISTERED, toJwk } from "../firm/sign-in/firm";
import { createNestedAppAuth, type NestedAppAuth } from "../office/nested-app-auth";
import {
  type FirmCompanion,
  type RunningDirectory,
  startDirectory,
  startFirmCompanion,
} from "../support/firm-companion";
import { findPort } from "../support/free-port.mjs";
import { startIdentityProvider } from "../support/identity-provider";
import { checkFit } from "../support/page-access";
import { CONNECTED, enterCode, openSettings, waitForStatus } from "../support/pane-page";
import { type RunningProvider, startSandbox } from "../support/provider";
import { until } from "../support/until";
import { readStored } from "./persisted-answers";
import { openPlayground, pane, readSettled, type } from "./playground-page";
import { createOfficePaneAt } from "./surroundings";

const JANUARY = [[["2024-01-01"]], [["2024-01-31"]], [[5]], null, null, null];
const CODE = /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/;

let provider: RunningProvider;
let directory: RunningDirectory;
let companion: FirmCompanion;

const at = createOfficePaneAt(() => companion.origin);
beforeAll(async () => {
  [provider, directory] = await Promise.all([startSandbox({ companies: 20 }), startDirectory()]);
});
afterEach(async () => {
  await at.host?.close();
  await companion.close();
});
afterAll(() => Promise.all([provider.close(), directory.close()]));

describe("the pane at a firm's companion, in an Excel that issues tokens", () => {
  const start = async (): Promise<NestedAppAuth> => {
    companion = await startFirmCompanion(provider, directory.signIn);
    return createNestedAppAuth();
  };

  it("signs in silently, contacts Office and the companion alone, and stores nothing of the token", async () => {
    const nested = await start();
    const token = await directory.createToken();
    nested.silent = { token };
    const page = await at.open({ nested });
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    await waitForStatus(page, CONNECTED);
    expect(nested.requests.map(({ method }) => method)).toEqual(["GetInitContext", "GetToken"]);
    expect(at.host.foreign.filter((address) => !address.includes("appsforoffice"))).toEqual([]);
    const stored = await readStored(page);
    expect(Object.keys(stored)).toContain("local storage: feed.pairing");
    const seen = [JSON.stringify(stored), ...said, await page.content(), ...companion.lines].join("\n");
    expect(token.split(".").filter((part) => seen.includes(part))).toEqual([]);
  });

  it("signs in silently where the pane is closed, and fills the cells", async () => {
    const nested = await start();
    nested.silent = { token: await directory.createToken() };
    await at.open({ nested, isClosed: true });
    const cell = at.host.call("RANKING", JANUARY);
    await until(async () => Array.isArray((await at.host.next(cell)).value)); // an error is no array of rows
    expect(nested.requests.map(({ method }) => method)).toEqual(["GetInitContext", "GetToken"]);
  });

  it("prompts the person on a key press if Office has to, and fits in high contrast", async () => {
    const nested = await start();
    nested.popup = { token: await directory.createToken() };
    const page = await at.open({ nested });
    await openSettings(page);
    await page.getByText("Sign in with the account that you use in Office.").waitFor();
    await page.getByRole("button", { name: "Sign in", disabled: false }).focus();
    await page.emulateMedia({ forcedColors: "active" });
    await checkFit(page, 320, 450);
    await page.keyboard.press("Enter");
    await waitForStatus(page, CONNECTED);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Connect again");
  });

  it("fits 320 and 450 pixels and is accessible, in Japanese and dark", async () => {
    const page = await at.open({ nested: await start(), language: "ja-JP", theme: "dark" });
    await openSettings(page);
    await page.getByRole("button", { name: "サインイン", disabled: false, exact: true }).waitFor();
    await checkFit(page, 320, 450);
    await page.getByRole("button", { name: "サインイン", exact: true }).click();
    await page.getByRole("link", { name: "サインイン", exact: true }).waitFor();
    await checkFit(page, 320, 450);
  });
});

it("the pane at a firm's companion, in an Excel that issues no tokens leads to the identity provider's page, and accepts its code", async () => {
  const port = await findPort();
  const redirect_uris = [`http://127.0.0.1:${port}/sign-in/callback`];
  const start = { keys: [await toJwk("identity")], client: { ...REGISTERED, redirect_uris }, people: { ada: {} } };
  const identityProvider = await startIdentityProvider(start);
  companion = await startFirmCompanion(provider, createSignIn(identityProvider.issuer), port);
  const page = await at.open();
  await openSettings(page);
  const address = await readLink(page);
  const own = await at.browser.newPage({ extraHTTPHeaders: { person: "ada" } }); // the person's own browser
  await own.goto(address);
  const [code = ""] = CODE.exec(await own.innerText("body")) ?? [];
  await own.close();
  await enterCode(page, code);
  await waitForStatus(page, CONNECTED);
  await identityProvider.close();
});

it("a browser at a firm's companion gets a refresh from the companion, bypassing the browser's cache", async () => {
  companion = await startFirmCompanion(provider, directory.signIn);
  const { page } = await openPlayground(at.browser, `${companion.origin}/playground.html`);
  await openSettings(pane(page));
  await enterCode(pane(page), await companion.makeCode(await readLink(pane(page))));
  await waitForStatus(pane(page), CONNECTED);
  await type(page, ["A1", '=FEED.RANKING("2024-01",,1,,,FALSE)'], ["A2", '=FEED.COMPANIES("JPN",,1,"id",,FALSE)']);
  await readSettled(page, "A2");
  await type(page, ["A3", '=FEED.COMPANY(A2,"companyName")']);
  const before = [await readSettled(page, "A1"), await readSettled(page, "A3")];
  const wire = await watchWire(page);
  await pane(page).getByRole("button", { name: "Refresh all" }).first().click();
  await waitForStatus(pane(page), "3 formulas refreshed.");
  await until(() => wire.size >= 3);
  expect(Object.fromEntries(wire)).toMatchObject({
    "/japan/ranking/v1/companies": 200,
    "/asia/private-markets/v1/companies": 200,
    "/asia/private-markets/v1/companies/{companyId}": 200,
  });
  expect([await readSettled(page, "A1"), await readSettled(page, "A3")]).toEqual(before);
  await page.close();
});

/** The status of each network answer from now on, by the API's path. */
async function watchWire(page: Page): Promise<Map<string, number>> {
  const session = await page.context().newCDPSession(page);
  const [paths, statuses] = [new Map<string, string>(), new Map<string, number>()];
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    const [, path] = /\/companion\/relay(\/[^?]+)/.exec(request.url) ?? [];
    if (path !== undefined) paths.set(requestId, path.replace(/(companies\/).+/, "$1{companyId}"));
  });
  // From the network events: a page sees 200 for a revalidated answer.
  session.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => {
    const path = paths.get(requestId);
    if (path !== undefined) statuses.set(path, statusCode);
  });
  await session.send("Network.enable");
  return statuses;
}

/** The address of the sign-in page for the pane. */
async function readLink(place: Page | Frame): Promise<string> {
  await place.waitForFunction(() => document.querySelector('a[href*="/sign-in?pane="]') !== null);
  return String(await place.getByRole("link", { name: "Sign in" }).getAttribute("href"));
}
