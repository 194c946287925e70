/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { Ports } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { createNestedAppAuth, installBridge, type NestedAppAuth } from "../office/nested-app-auth";
import {
  type FirmCompanion,
  type RunningDirectory,
  startDirectory,
  startFirmCompanion,
} from "../support/firm-companion";
import { type RunningProvider, startSandbox } from "../support/provider";
import { checkPage } from "./access";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { findHidden, untilProbed } from "./pane-sessions";
import { enterCode, findCodeField } from "./shown-code";

let provider: RunningProvider;
let directory: RunningDirectory;
let companion: FirmCompanion;
let office: NestedAppAuth;
let session: Session;
let ports: Ports;
/** Office's requirement sets. */
let requirementSets: string[];
/** Addresses that Office opened in the person's browser. */
let browsed: string[];
const said: unknown[][] = [];

beforeAll(async () => {
  findHidden();
  [provider, directory] = await Promise.all([startSandbox({ companies: 20 }), startDirectory()]);
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    jest.spyOn(console, method).mockImplementation((...all) => void said.push(all));
});
beforeEach(async () => {
  companion = await startFirmCompanion(provider, directory.signIn);
  office = createNestedAppAuth();
  requirementSets = ["NestedAppAuth"];
  browsed = [];
  said.length = 0;
  const requirements = { isSetSupported: (name: string) => requirementSets.includes(name) };
  const ui = { openBrowserWindow: (address: string) => void browsed.push(address) };
  Object.assign(globalThis, { Office: { context: { requirements, ui } } });
  window.sendToOffice = office.answer;
  installBridge();
});
afterEach(async () => {
  await untilProbed(session);
  cleanup();
  session.feed.queryCache.close();
  localStorage.clear();
  await companion.close();
});
afterAll(() => Promise.all([provider.close(), directory.close()]));

function open(): void {
  ports = { ...createHurriedPorts(), storage: () => localStorage };
  session = createSession({ ports, companionUrl: companion.origin });
  openPart(session, <Settings />);
  void session.connect();
}

/** Opens the pane where Office issues a token silently; returns that token. */
async function openSignedIn(): Promise<string> {
  const token = await directory.createToken();
  office.silent = { token };
  open();
  await screen.findByText("Connected");
  return token;
}

const link = () => screen.findByRole<HTMLAnchorElement>("link", { name: "Sign in" });
/** Finds it once it is enabled. */
const button = (name = "Sign in") =>
  waitFor(() => {
    const found = screen.getByRole("button", { name });
    expect(found.getAttribute("aria-disabled")).not.toBe("true");
    return found;
  });
const count = (method: string) => office.requests.filter((each) => each.method === method).length;

/** Makes the pane read the companion, as the next formula does. */
const receive = () => act(() => session.access.probe());

/** The link to the sign-in page, once the companion knows this pane. */
async function readWay(): Promise<string> {
  const pane = /^[^?]*\/sign-in\?pane=[0-9a-f]{64}$/;
  return waitFor(async () => {
    const { href } = await link();
    expect(href).toMatch(pane);
    return href;
  });
}

describe("sign-in by browser", () => {
  beforeEach(() => {
    requirementSets = [];
  });

  it("leads to the companion's page, whose code connects", async () => {
    open();
    const way = await readWay();
    const { target, rel } = await link();
    expect([new URL(way).origin, target, rel]).toEqual([companion.origin, "_blank", "noopener"]);
    expect(document.activeElement).toBe(await link());
    const input = await findCodeField();
    const described = document.getElementById(input.getAttribute("aria-describedby") ?? "");
    expect(described?.textContent).toBe("The browser shows it once you have signed in; it lasts five minutes.");
    await checkPage("page-has-heading-one");
    await enterCode(await companion.makeCode(await readWay()));
    await screen.findByText("Connected");
    expect(document.activeElement?.textContent).toBe("Connect again");
    expect(office.requests).toEqual([]);
  });

  it("reports a wrong code", async () => {
    open();
    await link();
    await enterCode("AAAA-AAAA");
    await screen.findByText("That is not the code, or it has ended. Sign in again for a new one.");
  });

  it("opens in the person's own browser if Office can, and the field waits for the code", async () => {
    requirementSets = ["OpenBrowserWindowApi"];
    open();
    const way = await readWay();
    expect(fireEvent.click(await link())).toBe(false); // the pane's own window does not navigate
    expect(browsed).toEqual([way]);
    expect(document.activeElement).toBe(await findCodeField());
  });

  it.each([
    ["Office lacks the bridge it announces", () => delete window.nestedAppAuthBridge, "silent"],
    ["Office fails", () => Object.assign(office, { silent: { status: "PERSISTENT_ERROR" } }), "silent"],
    ["the person leaves Office's question", () => Object.assign(office, { popup: { status: "USER_CANCEL" } }), "asked"],
  ])("is the fallback, with an explanation, if %s", async (_, spoil, moment) => {
    requirementSets = ["NestedAppAuth"];
    spoil();
    open();
    if (moment === "asked") fireEvent.click(await button());
    await screen.findByText(/^Office did not sign you in\. Sign in in the browser instead/);
    expect(new URL(await readWay()).origin).toBe(companion.origin);
    expect(document.body.textContent).not.toContain("Office says");
    await checkPage("page-has-heading-one");
  });

  it("is the fallback, with the reason, if the companion refuses the token", async () => {
    requirementSets = ["NestedAppAuth"];
    const token = await directory.createToken({ aud: "https://other.example.com" });
    office.silent = { token };
    open();
    await screen.findByText(/^The companion did not take the sign-in of Office\./);
    await screen.findByText(/The token is for another service/);
    await link();
    const seen = [document.documentElement.outerHTML, JSON.stringify(said), companion.lines.join("\n")].join("\n");
    expect(token.split(".").filter((part) => seen.includes(part))).toEqual([]);
  });

  it("can be chosen by the person", async () => {
    requirementSets = ["NestedAppAuth"];
    open();
    fireEvent.click(await button("Use the browser instead"));
    await link();
    await findCodeField();
    expect(screen.queryByText(/^Office did not sign you in/)).toBeNull();
  });
});

describe("sign-in by Office", () => {
  it("needs no click if Office issues a token silently, and stores and shows nothing of it", async () => {
    const token = await openSignedIn();
    const authority = directory.signIn.issuer.replace("/v2.0", "");
    const scope = "https://feed.example.com/api/feed.read";
    expect(office.requests.at(-1)?.tokenParams).toMatchObject({ authority, scope });
    expect(count("GetTokenPopup")).toBe(0);
    const stored = { ...localStorage, ...sessionStorage, cookies: document.cookie };
    expect(Object.keys(stored).sort()).toEqual(["cookies", "feed.owner", "feed.pairing"]);
    const texts = { stored, said, page: document.documentElement.outerHTML, log: companion.lines };
    const parts = [...token.split("."), "c2lnbmF0dXJl"];
    expect(parts.filter((part) => JSON.stringify(texts).includes(part))).toEqual([]);
  });

  it("prompts when the button is pressed, and not before", async () => {
    office.popup = { token: await directory.createToken() };
    open();
    const first = await button();
    expect(document.activeElement).toBe(first);
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
    await checkPage("page-has-heading-one");
    expect(count("GetTokenPopup")).toBe(0);
    fireEvent.click(first);
    await screen.findByText("Connected");
    expect([count("GetTokenPopup"), document.activeElement?.textContent]).toEqual([1, "Connect again"]);
  });

  it("repeats silently when the sign-in ends while the pane is open, without taking focus", async () => {
    await openSignedIn();
    const { nowMs } = ports;
    ports.nowMs = () => nowMs() + 3_600_000;
    await companion.revoke();
    const focused: (string | null)[] = [];
    document.addEventListener("focusin", ({ target }) => focused.push((target as HTMLElement).textContent));
    await receive();
    await waitFor(() => expect(count("GetToken")).toBe(2));
    await screen.findByText("Connected");
    expect(focused).toEqual([]);
    expect(session.pairing()).toBe("kept");
  });

  it("does so once an ending, and leaves a second one within a minute to the person", async () => {
    await openSignedIn();
    await companion.revoke();
    await receive();
    const first = await button();
    expect(count("GetToken")).toBe(1);
    fireEvent.click(first);
    await screen.findByText("Connected");
    expect([count("GetToken"), count("GetTokenPopup")]).toEqual([2, 0]);
  });
});
