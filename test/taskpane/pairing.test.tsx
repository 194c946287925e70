/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { Ports } from "../../src/client/ports";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
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
beforeEach(async () => {
  companion = await startCompanion({ provider });
  [isUp, isForeign, pairings, requests, sendsRequests] = [true, false, 0, 0, Promise.resolve()];
});
afterEach(async () => {
  await untilProbed(session);
  cleanup();
  session.feed.queryCache.close();
  delete surroundings.Office;
  await companion.close();
});
afterAll(() => Promise.all(providers.map((each) => each.close())));

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
  it("appears with its description and focus when the companion requires a code", async () => {
    open();
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
    press("Connect");
    const input = await findCodeField();
    await waitFor(() => expect(document.activeElement).toBe(input));
    const described = document.getElementById(input.getAttribute("aria-describedby") ?? "");
    await waitFor(() => expect(described?.textContent).toMatch(/npm run companion -- pair [2-9A-HJ-NP-Z]{4}$/));
  });

  it("refuses a code created for another page", async () => {
    await issueShownCode(companion.pairings, await openUnpaired());
    const other = await companion.pairings.createRequest(companion.origin);
    await enterCode((await companion.pairings.issue(other.name)).code);
    await screen.findByText(REFUSED);
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

  it.each([
    ["en-US", "Pairing code", REFUSED],
    ["ja-JP", "ペアリングコード", /^コードが違うか、期限が切れています。/],
  ])("reports a wrong code: %s", async (language, label, sentence) => {
    expect(await openUnpaired(language)).toBe(screen.getByRole("textbox", { name: label }));
    await enterCode("AAAA-AAAA");
    await screen.findByText(sentence);
  });

  it("does not call a code wrong that the companion's guards refused", async () => {
    const code = await issueShownCode(companion.pairings, await openUnpaired("ja-JP"));
    isForeign = true;
    await enterCode(code);
    await screen.findByText(/Only the companion's own pages may call its API/);
    expect(screen.getByRole("alert").textContent).toContain("対処: FEED ウィンドウが");
    expect(screen.queryByText(/コードが違う/)).toBeNull();
  });

  it("says in Japanese what to do after too many attempts", async () => {
    await openUnpaired("ja-JP");
    for (let tries = 0; tries < 10; tries++) await session.pair("AAAA-AAAA").catch(() => undefined);
    await enterCode("AAAA-AAAA");
    await screen.findByText(/^しばらくお待ちください/);
    expect(screen.getByText("FEED_RATE_LIMITED")).toBeTruthy();
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
  it("show tokens and pairing; the pairing can be ended there", async () => {
    await openPaired();
    expect([fact("Tokens"), fact("Pairing")]).toEqual([
      "come to this page, by assertions that the companion signs",
      "this page is paired with the companionUnpair",
    ]);
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

  it("say that sample data needs no pairing", async () => {
    await companion.close();
    companion = await startCompanion({ companies: 20 });
    open();
    press("Connect");
    await screen.findByText("Connected");
    expect(fact("Pairing")).toBe("not needed for sample data");
  });
});

/** Connects in an Excel, until the pane asks for a code or shows why it cannot. */
async function connectIn(platform: string, language?: string): Promise<void> {
  const PlatformType = { OfficeOnline: "OfficeOnline", PC: "PC" };
  surroundings.Office = { PlatformType, context: { platform, partitionKey: "contoso|" } };
  open(language);
  void session.connect();
  await (isUp ? findCodeField() : screen.findByText(/FEED_SIGNER_UNREACHABLE/));
}

describe("Excel on the web", () => {
  it.each([
    ["in the pairing step that each site is paired by itself", "eachSite", true, "en-US"],
    ["in the pairing step that each site is paired by itself", "eachSite", true, "ja-JP"],
    ["to allow the local network where the companion is not reached", "localNetwork", false, "en-US"],
    ["to allow the local network where the companion is not reached", "localNetwork", false, "ja-JP"],
  ] as const)("is told %s (%s, %s, %s)", async (_, sentence, runs, language) => {
    isUp = runs;
    await connectIn("OfficeOnline", language);
    expect(screen.getByText(toTexts(language).ofSettings[sentence])).toBeTruthy();
  });

  it("takes a pairing of another window of its site, and none of another site", async () => {
    await connectIn("OfficeOnline");
    const notify = (key: string) => fireEvent(window, new StorageEvent("storage", { key, newValue: "bearer" }));
    const readStatus = () => session.state().status;
    notify(PAIRING_STORAGE_KEY);
    notify(`fabrikam|${PAIRING_STORAGE_KEY}`);
    expect(readStatus()).toBe("failed");
    notify(`contoso|${PAIRING_STORAGE_KEY}`);
    expect(readStatus()).toBe("connecting");
    await waitFor(() => expect(readStatus()).toBe("failed"));
  });
});

describe("Excel on a desktop", () => {
  it.each([true, false])("is told neither (the companion runs: %s)", async (runs) => {
    isUp = runs;
    await connectIn("PC");
    const { eachSite, localNetwork } = toTexts("en-US").ofSettings;
    expect([screen.queryByText(eachSite), screen.queryByText(localNetwork)]).toEqual([null, null]);
  });
});

/** Shows the paired pane at a companion whose clock is ahead of the provider's, once it connected or failed. */
async function openAhead(aheadMs: number, mode: "sign" | "relay" = "sign", language?: string): Promise<void> {
  await companion.close();
  companion = await startCompanion({ provider: await start(aheadMs), mode });
  open(language);
  await session.pair(await companion.pairings.issueSent());
}

describe("the pane with a wrong companion clock", () => {
  it.each(["sign", "relay"] as const)("is connected and says so, in the mode %s", async (mode) => {
    await openAhead(7 * MINUTE_MS, mode);
    const status = await screen.findByText("Connected");
    expect(status.closest("[role=status]")?.textContent).toBe(
      "ConnectedThe clock of the companion's computer is 7 minutes ahead. Set it by network time. Until then, requests for a token are signed by the provider's time.",
    );
    await checkPage("page-has-heading-one");
  });

  it("says so in Japanese", async () => {
    await openAhead(-7 * MINUTE_MS, "sign", "ja-JP");
    await screen.findByText(/^コンパニオンのコンピューターの時計が 7 分遅れています。時計を/);
  });

  it("reports that a clock days off is ignored", async () => {
    await openAhead(3 * 24 * 60 * MINUTE_MS);
    await screen.findByText(
      "The clock of the companion's computer is 3 days ahead. That is too far to sign by the provider's time: set it by network time, then connect again.",
    );
  });

  it("shows nothing with a correct clock", async () => {
    await openAhead(0);
    await screen.findByText("Connected");
    expect(screen.queryByText(/clock/)).toBeNull();
  });
});
