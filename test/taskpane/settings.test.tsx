/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { Ports } from "../../src/client/ports";
import { PROBE_KINDS } from "../../src/session/access-state";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { createGate, createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { ALWAYS, begin, companion, findHidden, press, serveSessions, session } from "./pane-sessions";

beforeAll(findHidden);
serveSessions();

interface Opening {
  language?: string;
  ports?: Ports;
  companionUrl?: string;
}

function open({ language = "en-US", ports, companionUrl }: Opening = {}) {
  begin(ports, companionUrl);
  return openPart(session, <Settings />, { texts: toTexts(language) });
}

async function openConnected(ports?: Ports) {
  const opened = open({ ...(ports && { ports }) });
  press("Connect");
  await screen.findByText("Connected");
  const isTried = () =>
    PROBE_KINDS.every((family) => !["unknown", "asking"].includes(session.access.state()[family].status));
  await waitFor(() => expect(isTried()).toBe(true));
  return opened;
}

/** The lines of a list, even if folded. */
const lines = (name: string) =>
  within(screen.getByRole("list", { name, hidden: true }))
    .getAllByRole("listitem", { hidden: true })
    .map((item) => item.textContent ?? "");
const steps = (name = "Steps of connecting") => lines(name);
const families = () => lines("What this client may read");
const isUnfolded = (title: string) => screen.getByText(title).closest("details")?.open;

describe("the pane", () => {
  it("shows the connection, and that the data is sample data", async () => {
    open();
    expect(screen.getByText("Not connected yet.")).toBeTruthy();
    press("Connect");
    await screen.findByText("Connected");
    for (const text of [`${companion.origin}/sandbox`, "sample-client", "through the companion"]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    await checkPage();
  });

  it("shows the steps of the credentials, each with its time when done", async () => {
    const gate = createGate("/companion/assertion");
    open({ ports: gate.ports });
    expect(steps().map((step) => step?.endsWith("waiting"))).toEqual([true, true, true]);
    press("Connect");
    await gate.reached;
    await screen.findByText("running");
    expect(screen.getByText("Connecting…")).toBeTruthy();
    const [companionStep, assertion, token] = steps();
    expect(companionStep).toMatch(/\d ms$/);
    expect(assertion).toMatch(/running$/);
    expect(token).toMatch(/waiting$/);
    gate.open();
    await screen.findByText("Connected");
    for (const step of steps()) expect(step).toMatch(/\d ms$/);
  });

  it("reports that the companion does not answer, and what to do", async () => {
    open({ companionUrl: "http://127.0.0.1:9" });
    press("Connect");
    await screen.findByText("Not connected. The step below tells why.");
    const [first, second] = steps();
    expect(first).toContain("the companion does not answer");
    expect(first).toContain("What to do: start the companion");
    expect(first).toContain("FEED_SIGNER_UNREACHABLE");
    expect(second).toMatch(/waiting$/);
    await checkPage();
  });

  it("says in Japanese what to do when the token is refused", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    open({ language: "ja-JP" });
    press("接続");
    await screen.findByText("接続できません。理由は下に表示されています。");
    expect(steps("接続の手順")[2]).toContain("対処: クライアント ID、キー ID、公開鍵を確認してください");
    expect(steps("接続の手順")[2]).toContain("FEED_TOKEN_REFUSED");
  });

  it("disconnects, explains the effect on cells, and connects again", async () => {
    await openConnected();
    press("Disconnect");
    expect(screen.getByText("Disconnected. Cells keep their values and ask for no new ones.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Disconnect" })).toBeNull();
    press("Connect");
    await screen.findByText("Connected");
  });
});

describe("the connected pane", () => {
  it("takes all steps again at the same button, which keeps the focus", async () => {
    await openConnected();
    const button = screen.getByRole("button", { name: "Connect again" });
    button.focus();
    const before = companion.controls.count("createToken");
    fireEvent.click(button);
    await waitFor(() => expect(companion.controls.count("createToken")).toBe(before + 1));
    await screen.findByText("Connected");
    expect(document.activeElement).toBe(button);
  });

  it("folds the steps, and unfolds them when one fails", async () => {
    await openConnected();
    expect(isUnfolded("From the key to a token")).toBe(false);
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    await session.connect();
    await screen.findByText("Not connected. The step below tells why.");
    expect(isUnfolded("From the key to a token")).toBe(true);
    expect(isUnfolded("Connection")).toBe(true);
  });

  it("shows the client's access by family, each with its time", async () => {
    await openConnected();
    await waitFor(() => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6));
    expect(isUnfolded("What this client may read")).toBe(false);
    expect(families().map((line) => line.replace(/\d+ ms$/, ""))).toEqual([
      "✓Company records",
      "✓Financials",
      "✓Industries",
      "✓Company rankings",
      "✓Rankings by page type",
      "✓Industry rankings",
      expect.stringMatching(/^\?\/private-company\/v1\/companies.+walk-through.+Try$/),
    ]);
    await checkPage();
  });

  it("probes access once a connection, however often it is shown", async () => {
    await openConnected();
    const isTried = () => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6);
    await waitFor(isTried);
    cleanup();
    openPart(session, <Settings />);
    isTried();
    expect(companion.controls.count("searchCompanies")).toBe(1);
  });

  it("reuses the probe on the next page with its age, and repeats it on demand", async () => {
    await openConnected();
    cleanup();
    session.feed.queryCache.close();
    const nowMs = () => Date.now() + 2 * 60 * 60_000;
    companion.controls.reset();
    await openConnected({ ...createHurriedPorts(), nowMs });
    expect(families().slice(0, 2)).toEqual(["✓Company records", "✓Financials"]);
    expect(screen.getByText("Checked 2 hours ago.")).toBeTruthy();
    expect(companion.controls.count("searchCompanies")).toBe(0);
    press("Check again");
    await waitFor(() => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6));
    expect(screen.getByText("Checked this minute.")).toBeTruthy();
    await checkPage();
  });

  it("distinguishes refused families from failed ones, and retries", async () => {
    companion.controls.answers.rankIndustries = { status: 403, times: ALWAYS };
    companion.controls.answers.listTaxonomyCompanies = { status: 404, times: 1 };
    await openConnected();
    await screen.findByText(/^Ask your administrator or the provider for what is not allowed/);
    await waitFor(() => expect(families()[2]).toMatch(/failed, \d+ ms/));
    expect(families()[5]).toMatch(/^–Industry rankingsnot allowed, \d+ ms$/);
    expect(families()[2]).toContain("What to do: check the id");
    await waitFor(() => expect(families()[0]).toMatch(/^✓/));
    expect(isUnfolded("What this client may read")).toBe(true);
    press("Check again");
    await waitFor(() => expect(families()[2]).toMatch(/^✓Industries\d+ ms$/));
    await screen.findByText("Checked this minute.");
  });

  it("probes the walk-through path on demand alone", async () => {
    await openConnected();
    await waitFor(() => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6));
    expect(companion.controls.count("listCompaniesWalkThrough")).toBe(0);
    press("Try: /private-company/v1/companies");
    await waitFor(() => expect(families()[6]).toMatch(/^✓.+\d ms$/));
    expect(companion.controls.count("listCompaniesWalkThrough")).toBe(1);
  });

  it("names who sets up the provider if pages cannot", async () => {
    await openConnected();
    expect(screen.getByText(/ask who runs it, in a firm the IT department/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /provider/ })).toBeNull();
  });
});
