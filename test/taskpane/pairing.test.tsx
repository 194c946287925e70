/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { Ports } from "../../src/client/ports";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { openAccess } from "../../src/session/access";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { createNestedAppAuth, installBridge, type NestedAppAuth } from "../office/nested-app-auth";
import { type RunningCompanion, startCompanion } from "../support/companion";
import {
  type FirmCompanion,
  type RunningDirectory,
  startDirectory,
  startFirmCompanion,
} from "../support/firm-companion";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { checkPage } from "./access";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { findHidden, press, untilProbed } from "./pane-sessions";
import { enterCode, findCodeField, issueShownCode } from "./shown-code";

const REFUSED = "That is not the pairing code, or it has ended. For a new one, run the command below.";
const MINUTE_MS = 60_000;

const surroundings = globalThis as { Office?: unknown };
const providers: RunningProvider[] = [];
let provider: RunningProvider;
let companion: RunningCompanion;
let session: Session;
let isUp: boolean;
/** Whether requests look like those of another site. */
let isForeign: boolean;
let pairings: number;
/** Pairing requests are sent once this is settled. */
let requests: number;
let sendsRequests: Promise<void>;

beforeAll(async () => {
  findHidden();
  provider = await start();
});
beforeEach(() => {
  [isUp, isForeign, pairings, requests, sendsRequests] = [true, false, 0, 0, Promise.resolve()];
});
afterEach(async () => {
  await untilProbed(session);
  cleanup();
  session.feed.queryCache.close();
  localStorage.clear();
  delete surroundings.Office;
});
afterAll(() => Promise.all(providers.map((each) => each.close())));

/** Gives each test of a block a companion of its own, which signs for the provider. */
function serveCompanions(): void {
  beforeEach(async () => {
    companion = await startCompanion({ provider });
  });
  afterEach(() => companion.close());
}

/** Starts a provider whose clock is behind. */
async function start(behindMs = 0): Promise<RunningProvider> {
  const started = await startSandbox({ companies: 20, nowMs: () => Date.now() - behindMs });
  providers.push(started);
  return started;
}

function open(language = "en-US", storage = createStorage()): void {
  const ports = { ...createHurriedPorts(), storage };
  const send: typeof fetch = async (url, init) => {
    if (String(url).endsWith("/pairing")) pairings++;
    if (String(url).endsWith("/pairing/request")) {
      requests++;
      await sendsRequests;
    }
    if (!isUp) return Promise.reject(new TypeError("fetch failed"));
    const foreign = { headers: { ...init?.headers, origin: "https://evil.example" } };
    return ports.fetch(url, { ...init, ...(isForeign && foreign) });
  };
  session = createSession({ ports: { ...ports, fetch: send }, companionUrl: companion.origin });
  openPart(session, <Settings />, { texts: toTexts(language) });
}

const fact = (term: string) => screen.getByText(term).nextElementSibling?.textContent;

/** Opens the pane and connects, until it asks for a code. */
async function openUnpaired(language?: string): Promise<HTMLInputElement> {
  open(language);
  press(/^(Connect|接続)$/);
  return findCodeField();
}

async function openPaired(storage?: Ports["storage"]): Promise<void> {
  open("en-US", storage);
  press("Connect");
  await enterCode(await issueShownCode(companion.pairings, await findCodeField()));
  await screen.findByText("Connected");
}

describe("the field for the pairing code", () => {
  serveCompanions();

  it("appears with its description and focus when the companion requires a code", async () => {
    open();
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
    press("Connect");
    const input = await findCodeField();
    await waitFor(() => expect(document.activeElement).toBe(input));
    const described = document.getElementById(input.getAttribute("aria-describedby") ?? "");
    await waitFor(() => expect(described?.textContent).toMatch(/npm run companion -- pair [2-9A-HJ-NP-Z]{4}$/));
  });

  it("requests one code alone, however early one is entered", async () => {
    let send = () => {};
    sendsRequests = new Promise((resolve) => {
      send = resolve;
    });
    open();
    press("Connect");
    await enterCode("AAAA-AAAA");
    send();
    await screen.findByText(REFUSED);
    expect(requests).toBe(1);
  });

  it("leaves the focus in another field where the person types", async () => {
    open();
    const other = document.body.appendChild(document.createElement("input"));
    other.focus();
    await session.connect();
    await findCodeField();
    expect(document.activeElement).toBe(other);
    other.remove();
  });

  it("reports an incomplete code without a request", async () => {
    await openUnpaired();
    await enterCode("ABCD-EF");
    await screen.findByText("A code has eight letters and digits, such as ABCD-EFGH.");
    expect(pairings).toBe(0);
    expect((await findCodeField()).value).toBe("ABCD-EF");
  });

  it("does not call a code wrong that the companion's guards refused", async () => {
    const code = await issueShownCode(companion.pairings, await openUnpaired("ja-JP"));
    isForeign = true;
    await enterCode(code);
    await screen.findByText(/Only the companion's own pages may call its API/);
    expect(screen.getByRole("alert").textContent).toContain("対処: FEED ウィンドウが");
    expect(screen.queryByText(/コードが違う/)).toBeNull();
  });

  it("reports that the companion does not answer, and accepts the code once it does", async () => {
    const code = await issueShownCode(companion.pairings, await openUnpaired());
    isUp = false;
    await enterCode(code);
    await screen.findByText(/^the companion does not answer/);
    isUp = true;
    await enterCode(code);
    await screen.findByText("Connected");
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
  });

  it("stays with its text while a cell tries to connect", async () => {
    const input = await openUnpaired();
    fireEvent.change(input, { target: { value: "ABC" } });
    await session.connect();
    expect(await findCodeField()).toBe(input);
    expect(input.value).toBe("ABC");
  });
});

describe("the facts of the connection", () => {
  serveCompanions();

  it("show tokens and pairing; the pairing can be ended there", async () => {
    await openPaired();
    expect([fact("Tokens"), fact("Pairing")]).toEqual([
      "come to this page, by assertions that the companion signs",
      "this page is paired with the companionUnpair",
    ]);
    expect(screen.queryByText(/clock/)).toBeNull();
    press("Unpair");
    await screen.findByText(/^Disconnected\./);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Connect"));
    expect(fact("Pairing")).toBe("none");
  });

  it("say that the browser stores nothing", async () => {
    const storage = () => {
      throw new DOMException("denied", "SecurityError");
    };
    await openPaired(storage);
    expect(fact("Pairing")).toContain("until this page closes");
  });

  it("say that the page stays paired while the companion is down", async () => {
    await openPaired();
    isUp = false;
    press("Unpair");
    await screen.findByText("FEED_SIGNER_UNREACHABLE");
    expect(fact("Pairing")).toContain("this page is paired");
  });

  it("say that the companion keeps the token, and so do the steps", async () => {
    await companion.close();
    companion = await startCompanion({ provider, mode: "relay" });
    await openPaired();
    expect(fact("Tokens")).toBe("stay in the companion; this page sees none");
    expect(screen.getByText(/in the companion's memory only/)).toBeTruthy();
    const steps = within(screen.getByRole("list", { name: "Steps of connecting", hidden: true }));
    const lines = steps.getAllByRole("listitem", { hidden: true });
    expect(lines.map((step) => step.textContent?.replace(/\W*\d+ ms$/, ""))).toEqual([
      "✓Companion answers",
      "✓Companion is ready to sign",
      "✓Companion gets a token",
    ]);
  });
});

/** Connects in an Excel, until the pane asks for a code or shows why it cannot. */
async function connectIn(platform: string): Promise<void> {
  const PlatformType = { OfficeOnline: "OfficeOnline", PC: "PC" };
  surroundings.Office = { PlatformType, context: { platform, partitionKey: "contoso|" } };
  open();
  void session.connect();
  await (isUp ? findCodeField() : screen.findByText(/FEED_SIGNER_UNREACHABLE/));
}

describe("Excel on the web", () => {
  serveCompanions();

  it.each([
    ["eachSite", true],
    ["localNetwork", false],
  ] as const)(
    "alone is told %s: that each site is paired by itself, or to allow the local network",
    async (told, runs) => {
      isUp = runs;
      const text = toTexts("en-US").ofSettings[told];
      await connectIn("OfficeOnline");
      expect(screen.getByText(text)).toBeTruthy();
      cleanup();
      await connectIn("PC");
      expect(screen.queryByText(text)).toBeNull();
    },
  );

  it("takes a pairing of another window of its site, and none of another site", async () => {
    await connectIn("OfficeOnline");
    const notify = (key: string) => fireEvent(window, new StorageEvent("storage", { key, newValue: "bearer" }));
    const readStatus = () => session.state().status;
    for (const site of ["", "fabrikam|"]) notify(site + PAIRING_STORAGE_KEY);
    expect(readStatus()).toBe("failed");
    notify(`contoso|${PAIRING_STORAGE_KEY}`);
    expect(readStatus()).toBe("connecting");
    await waitFor(() => expect(readStatus()).toBe("failed"));
  });
});

/** Shows the paired pane at a companion whose clock is ahead of the provider's, once it connected or failed. */
async function openAhead(aheadMs: number, mode: "sign" | "relay" = "sign"): Promise<void> {
  await companion.close();
  companion = await startCompanion({ provider: await start(aheadMs), mode });
  open();
  await session.pair(await companion.pairings.issueSent());
}

describe("the pane with a wrong companion clock", () => {
  serveCompanions();

  it.each(["sign", "relay"] as const)("is connected and says so, in the mode %s", async (mode) => {
    await openAhead(7 * MINUTE_MS, mode);
    const status = await screen.findByText("Connected");
    expect(status.closest("[role=status]")?.textContent).toBe(
      "✓ConnectedThe clock of the companion's computer is 7 minutes ahead. Set it by network time. Until then, requests for a token are signed by the provider's time.",
    );
    await checkPage("page-has-heading-one");
  });

  it("says that it is behind", async () => {
    await openAhead(-7 * MINUTE_MS);
    await screen.findByText(/^The clock of the companion's computer is 7 minutes behind\./);
  });

  it("reports that a clock days off is ignored", async () => {
    await openAhead(3 * 24 * 60 * MINUTE_MS);
    await screen.findByText(
      "The clock of the companion's computer is 3 days ahead. That is too far to sign by the provider's time: set it by network time, then connect again.",
    );
  });
});

let directory: RunningDirectory;
let firm: FirmCompanion;
let office: NestedAppAuth;
let ports: Ports;
/** Office's requirement sets. */
let requirementSets: string[];
/** Addresses that Office opened in the person's browser. */
let browsed: string[];
const said: unknown[][] = [];

beforeAll(async () => {
  directory = await startDirectory();
});
afterAll(() => directory.close());

/** Gives each test of a block a firm's companion, and an Excel with the accounts of its people. */
function serveFirms(): void {
  beforeAll(() => {
    for (const method of ["log", "info", "warn", "error", "debug"] as const)
      jest.spyOn(console, method).mockImplementation((...all) => void said.push(all));
  });
  beforeEach(async () => {
    firm = await startFirmCompanion(provider, directory.signIn);
    office = createNestedAppAuth();
    requirementSets = ["NestedAppAuth"];
    browsed = [];
    said.length = 0;
    const requirements = { isSetSupported: (name: string) => requirementSets.includes(name) };
    const ui = { openBrowserWindow: (address: string) => void browsed.push(address) };
    surroundings.Office = { context: { requirements, ui } };
    window.sendToOffice = office.answer;
    installBridge();
  });
  afterEach(() => firm.close());
  afterAll(() => void jest.restoreAllMocks());
}

function openAtFirm(): void {
  ports = { ...createHurriedPorts(), storage: () => localStorage };
  session = createSession({ ports, companionUrl: firm.origin });
  openPart(session, <Settings />);
  void session.connect();
}

/** Opens the pane where Office issues a token silently; returns that token. */
async function openSignedIn(): Promise<string> {
  const token = await directory.createToken();
  office.silent = { token };
  openAtFirm();
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
const receive = () => act(() => openAccess(session).probe());

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
  serveFirms();
  beforeEach(() => {
    requirementSets = [];
  });

  it("leads to the companion's page, whose code connects", async () => {
    openAtFirm();
    const way = await readWay();
    const { target, rel } = await link();
    expect([new URL(way).origin, target, rel]).toEqual([firm.origin, "_blank", "noopener"]);
    await waitFor(async () => expect(document.activeElement).toBe(await link()));
    const described = document.getElementById((await findCodeField()).getAttribute("aria-describedby") ?? "");
    expect(described?.textContent).toBe("The browser shows it once you have signed in; it lasts five minutes.");
    await checkPage("page-has-heading-one");
    await enterCode("AAAA-AAAA");
    await screen.findByText("That is not the code, or it has ended. Sign in again for a new one.");
    await enterCode(await firm.makeCode(await readWay()));
    await screen.findByText("Connected");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Connect again"));
    expect(office.requests).toEqual([]);
  });

  it("opens in the person's own browser if Office can, and the field waits for the code", async () => {
    requirementSets = ["OpenBrowserWindowApi"];
    openAtFirm();
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
    openAtFirm();
    if (moment === "asked") fireEvent.click(await button());
    await screen.findByText(/^Office did not sign you in\. Sign in in the browser instead/);
    expect(new URL(await readWay()).origin).toBe(firm.origin);
    expect(document.body.textContent).not.toContain("Office says");
    await checkPage("page-has-heading-one");
  });

  it("is the fallback, with the reason, if the companion refuses the token", async () => {
    requirementSets = ["NestedAppAuth"];
    const token = await directory.createToken({ aud: "https://other.example.com" });
    office.silent = { token };
    openAtFirm();
    await screen.findByText(/^The companion did not take the sign-in of Office\./);
    await screen.findByText(/The token is for another service/);
    await link();
    const seen = [document.documentElement.outerHTML, JSON.stringify(said), firm.lines.join("\n")].join("\n");
    expect(token.split(".").filter((part) => seen.includes(part))).toEqual([]);
  });

  it("can be chosen by the person", async () => {
    requirementSets = ["NestedAppAuth"];
    openAtFirm();
    fireEvent.click(await button("Use the browser instead"));
    await link();
    await findCodeField();
    expect(screen.queryByText(/^Office did not sign you in/)).toBeNull();
  });
});

describe("sign-in by Office", () => {
  serveFirms();

  it("needs no click if Office issues a token silently, and stores and shows nothing of it", async () => {
    const token = await openSignedIn();
    const authority = directory.signIn.issuer.replace("/v2.0", "");
    const scope = "https://feed.example.com/api/feed.read";
    expect(office.requests.at(-1)?.tokenParams).toMatchObject({ authority, scope });
    expect(count("GetTokenPopup")).toBe(0);
    const stored = { ...localStorage, ...sessionStorage, cookies: document.cookie };
    expect(Object.keys(stored).sort()).toEqual(["cookies", "feed.owner", "feed.pairing"]);
    const texts = { stored, said, page: document.documentElement.outerHTML, log: firm.lines };
    const parts = [...token.split("."), "c2lnbmF0dXJl"];
    expect(parts.filter((part) => JSON.stringify(texts).includes(part))).toEqual([]);
  });

  it("prompts when the button is pressed, and not before", async () => {
    office.popup = { token: await directory.createToken() };
    openAtFirm();
    const first = await button();
    await waitFor(() => expect(document.activeElement).toBe(first));
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
    await checkPage("page-has-heading-one");
    expect(count("GetTokenPopup")).toBe(0);
    fireEvent.click(first);
    await screen.findByText("Connected");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Connect again"));
    expect(count("GetTokenPopup")).toBe(1);
  });

  it("repeats silently when the sign-in ends while the pane is open, without taking focus", async () => {
    await openSignedIn();
    const { nowMs } = ports;
    ports.nowMs = () => nowMs() + 3_600_000;
    await firm.revoke();
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
    await firm.revoke();
    await receive();
    const first = await button();
    expect(count("GetToken")).toBe(1);
    fireEvent.click(first);
    await screen.findByText("Connected");
    expect([count("GetToken"), count("GetTokenPopup")]).toEqual([2, 0]);
  });
});
