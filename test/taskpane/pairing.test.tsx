/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { press, untilProbed } from "./pane-sessions";
import { issueShownCode } from "./shown-code";

const REFUSED = "That is not the pairing code, or it has ended. For a new one, run the command below.";

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
  configure({ defaultHidden: true }); // every element here is visible; checking that would take most of the time
  provider = await startSandbox({ companies: 20 });
});
beforeEach(async () => {
  companion = await startCompanion({ provider });
  isUp = true;
  isForeign = false;
  pairings = 0;
  requests = 0;
  sendsRequests = Promise.resolve();
});
afterEach(async () => {
  await untilProbed(session);
  cleanup();
  session.feed.queryCache.close();
  await companion.close();
});
afterAll(() => provider.close());

function open(language = "en-US", ports: Ports = { ...createHurriedPorts(), storage: createStorage() }): void {
  const send: typeof fetch = async (url, init) => {
    if (String(url).endsWith("/pairing")) pairings++;
    if (String(url).endsWith("/pairing/request")) {
      requests++;
      await sendsRequests;
    }
    if (!isUp) return Promise.reject(new TypeError("fetch failed"));
    return ports.fetch(
      url,
      isForeign ? { ...init, headers: { ...init?.headers, origin: "https://evil.example" } } : init,
    );
  };
  session = createSession({ ports: { ...ports, fetch: send }, companionUrl: companion.origin });
  openPart(session, <Settings />, { texts: toTexts(language) });
}

const field = (name = "Pairing code") => screen.findByRole<HTMLInputElement>("textbox", { name });
const fact = (term: string) => screen.getByText(term).nextElementSibling?.textContent;

async function enter(code: string, label?: string): Promise<void> {
  const input = await field(label);
  fireEvent.change(input, { target: { value: code } });
  fireEvent.submit(input);
}

async function openPaired(ports?: Ports): Promise<void> {
  open("en-US", ports);
  press("Connect");
  await enter(await issueShownCode(companion.pairings, await field()));
  await screen.findByText("Connected");
}

describe("the field for the pairing code", () => {
  it("appears with its description and focus when the companion requires a code", async () => {
    open();
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
    press("Connect");
    const input = await field();
    await waitFor(() => expect(document.activeElement).toBe(input));
    const described = document.getElementById(input.getAttribute("aria-describedby") ?? "");
    await waitFor(() => expect(described?.textContent).toMatch(/npm run companion -- pair [2-9A-HJ-NP-Z]{4}$/));
  });

  it("refuses a code created for another page", async () => {
    open();
    press("Connect");
    await issueShownCode(companion.pairings, await field());
    const other = await companion.pairings.createRequest(companion.origin);
    await enter((await companion.pairings.issue(other.name)).code);
    await screen.findByText(REFUSED);
  });

  it("requests one code alone, however early one is entered", async () => {
    let send = () => {};
    sendsRequests = new Promise((resolve) => {
      send = resolve;
    });
    open();
    press("Connect");
    await enter("AAAA-AAAA");
    send();
    await screen.findByText(REFUSED);
    expect(requests).toBe(1);
  });

  it("leaves the focus in another field where the person types", async () => {
    open();
    const other = document.body.appendChild(document.createElement("input"));
    other.focus();
    await session.connect();
    await field();
    expect(document.activeElement).toBe(other);
    other.remove();
  });

  it("reports an incomplete code without a request", async () => {
    open();
    press("Connect");
    await enter("ABCD-EF");
    await screen.findByText("A code has eight letters and digits, such as ABCD-EFGH.");
    expect(pairings).toBe(0);
    expect((await field()).value).toBe("ABCD-EF");
  });

  it("reports a wrong code in both languages", async () => {
    open();
    press("Connect");
    await enter("AAAA-AAAA");
    await screen.findByText(REFUSED);
    cleanup();
    open("ja-JP");
    press("接続");
    await enter("AAAA-AAAA", "ペアリングコード");
    await screen.findByText(/^コードが違うか、期限が切れています。/);
  });

  it("does not call a code wrong that the companion's guards refused", async () => {
    open("ja-JP");
    press("接続");
    const code = await issueShownCode(companion.pairings, await field("ペアリングコード"));
    isForeign = true;
    await enter(code, "ペアリングコード");
    await screen.findByText(/Only the companion's own pages may call its API/);
    expect(screen.getByRole("alert").textContent).toContain("対処: FEED ウィンドウが");
    expect(screen.queryByText(/コードが違う/)).toBeNull();
  });

  it("says in Japanese what to do after too many attempts", async () => {
    open("ja-JP");
    press("接続");
    await field("ペアリングコード");
    for (let tries = 0; tries < 10; tries++) await session.pair("AAAA-AAAA").catch(() => undefined);
    await enter("AAAA-AAAA", "ペアリングコード");
    await screen.findByText(/^しばらくお待ちください/);
    expect(screen.getByText("FEED_RATE_LIMITED")).toBeTruthy();
  });

  it("reports that the companion does not answer, and accepts the code once it does", async () => {
    open();
    press("Connect");
    const code = await issueShownCode(companion.pairings, await field());
    isUp = false;
    await enter(code);
    await screen.findByText(/^the companion does not answer/);
    isUp = true;
    await enter(code);
    await screen.findByText("Connected");
    expect(screen.queryByRole("textbox", { name: "Pairing code" })).toBeNull();
  });

  it("stays with its text while a cell tries to connect", async () => {
    open();
    press("Connect");
    const input = await field();
    fireEvent.change(input, { target: { value: "ABC" } });
    await session.connect();
    expect(await field()).toBe(input);
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
    await openPaired({ ...createPorts(), storage });
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
