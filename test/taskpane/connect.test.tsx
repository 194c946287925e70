/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import axe from "axe-core";
import { createPorts, type Ports } from "../../src/client/ports";
import { PROBE_KINDS } from "../../src/session/access-state";
import { createSession, type Session } from "../../src/session/session";
import { Connect } from "../../src/taskpane/Connect";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createGate, createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";

const ALWAYS = Number.POSITIVE_INFINITY;
const MONTHS = ["01", "02", "03"];
/** The access probe's request for the ranking. */
const PROBES = 1;

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 10_000 }); // an exchange may exceed the default second on a busy machine
  companion = await startCompanion({ companies: 100 });
});
beforeEach(() => {
  companion.controls.reset();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
});
afterAll(() => companion.close());

interface Opening {
  language?: string;
  ports?: Ports;
  companionUrl?: string;
}

function open({ language = "en-US", ports = createPorts(), companionUrl = companion.origin }: Opening = {}) {
  session = createSession({ ports, companionUrl });
  return openPart(session, <Connect />, { texts: toTexts(language) });
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

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
/** The lines of a list, even if folded. */
const lines = (name: string) =>
  within(screen.getByRole("list", { name, hidden: true }))
    .getAllByRole("listitem", { hidden: true })
    .map((item) => item.textContent ?? "");
const steps = (name = "Steps of connecting") => lines(name);
const families = () => lines("What this client may read");
const isUnfolded = (title: string) => screen.getByText(title).closest("details")?.open;

/** Subscribes to the rankings of some months, as cells do, until each has its answer. */
const watchMonths = (months: string[]) =>
  Promise.all(
    months.map((month) => {
      const range = { start: `2024-${month}-01T00:00:00`, end: `2024-${month}-02T23:59:59` };
      const query = session.feed.rankings.queryCompanies(range, 5);
      return new Promise<void>((resolve) => {
        session.feed.queryCache.observe(query, ({ status }) => status === "answered" && resolve());
      });
    }),
  );

async function checkAccess(): Promise<void> {
  // Fluent's focus sentinels have no content; contrast is checked where there are colours.
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  const { violations } = await axe.run(page, { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("the pane", () => {
  it("shows the connection, and that the data is sample data", async () => {
    open();
    expect(screen.getByText("Not connected yet.")).toBeTruthy();
    press("Connect");
    await screen.findByText("Connected");
    for (const text of ["Sample data", `${companion.origin}/sandbox`, "sample-client", "through the companion"]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    await checkAccess();
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
    open({ companionUrl: "http://127.0.0.1:9", ports: createHurriedPorts() });
    press("Connect");
    await screen.findByText("Not connected. The step below tells why.");
    const [first, second] = steps();
    expect(first).toContain("the companion does not answer");
    expect(first).toContain("What to do: start the companion");
    expect(first).toContain("FEED_SIGNER_UNREACHABLE");
    expect(second).toMatch(/waiting$/);
    await checkAccess();
  });

  it("says in Japanese what to do when the token is refused", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    open({ language: "ja-JP" });
    press("接続");
    await screen.findByText("接続できません。下の手順に理由があります。");
    expect(steps("接続の手順")[2]).toContain("対処: クライアント ID、キー ID、公開鍵を確認してください");
    expect(steps("接続の手順")[2]).toContain("FEED_TOKEN_REFUSED");
  });

  it("disconnects, explains the effect on cells, and connects again", async () => {
    await openConnected();
    press("Disconnect");
    expect(screen.getByText("Disconnected. Cells keep their values and ask for no new ones.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Refresh all" })).toBeNull();
    press("Connect");
    await screen.findByText("Connected");
  });
});

describe("the connected pane", () => {
  it("folds the steps, and unfolds them when one fails", async () => {
    await openConnected();
    expect(isUnfolded("From the key to a token")).toBe(false);
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    await session.connect();
    await screen.findByText("Not connected. The step below tells why.");
    expect(isUnfolded("From the key to a token")).toBe(true);
    expect(isUnfolded("Connection")).toBe(true);
  });

  it("leads to the parts for the next tasks", async () => {
    const { opened } = await openConnected();
    for (const name of [/^Find a company/, /^Build a formula/, /^Make a ranking sheet/]) {
      fireEvent.click(screen.getByRole("button", { name }));
    }
    expect(opened.map(([part]) => part)).toEqual(["find", "build", "sheets"]);
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
    await checkAccess();
  });

  it("probes access once a connection, however often it is shown", async () => {
    await openConnected();
    const isTried = () => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6);
    await waitFor(isTried);
    cleanup();
    openPart(session, <Connect />);
    isTried();
    expect(companion.controls.count("searchCompanies")).toBe(1);
  });

  it("reuses the probe on the next page with its age, and repeats it on demand", async () => {
    await openConnected();
    cleanup();
    session.feed.queryCache.close();
    const nowMs = () => Date.now() + 2 * 60 * 60_000;
    companion.controls.reset();
    await openConnected({ ...createPorts(), nowMs });
    expect(families().slice(0, 2)).toEqual(["✓Company records", "✓Financials"]);
    expect(screen.getByText("Checked 2 hours ago.")).toBeTruthy();
    expect(companion.controls.count("searchCompanies")).toBe(0);
    press("Check again");
    await waitFor(() => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6));
    expect(screen.getByText("Checked this minute.")).toBeTruthy();
    await checkAccess();
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

describe("Refresh all", () => {
  it("reports that there is nothing to refresh", async () => {
    await openConnected();
    press("Refresh all");
    await screen.findByText("No cell asks for anything yet: type a formula first.");
  });

  it("shows that it is running, and then the number of queries", async () => {
    const gate = createGate("/japan/ranking/v1/companies", PROBES + MONTHS.length);
    await openConnected(gate.ports);
    await watchMonths(MONTHS);
    press("Refresh all");
    await screen.findByText("Asking again; cells show their values meanwhile.");
    gate.open();
    await screen.findByText("3 questions asked again.");
    expect(companion.controls.count("rankCompanies")).toBe(PROBES + 2 * MONTHS.length);
  });

  it("reports that cells keep their values when queries fail, and why", async () => {
    await openConnected();
    await watchMonths(MONTHS);
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    press("Refresh all");
    const sentence = await screen.findByText(/^1 of 3 questions failed; cells that had a value keep it\./);
    expect(sentence.textContent).toContain(
      "What to do: ask your administrator or the provider for this data family or country",
    );
    expect(screen.getByText("Connected")).toBeTruthy();
    await checkAccess();
  });
});
