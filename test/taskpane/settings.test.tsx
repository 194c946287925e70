/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { RequestError } from "../../src/client/errors";
import { PLAYGROUND_WORKBOOK } from "../../src/contract/workbook";
import { openAccess, PROBE_KINDS } from "../../src/session/access";
import type { PersistedSettings } from "../../src/session/persisted-settings";
import type { Session } from "../../src/session/session";
import { toPolicies } from "../../src/session/settings";
import { readSnapshot } from "../../src/taskpane/activity/snapshot";
import { Settings } from "../../src/taskpane/Settings";
import { redactLikelySecrets, toSupportText } from "../../src/taskpane/settings/support-text";
import { WorkbookSettings } from "../../src/taskpane/settings/WorkbookSettings";
import { toTexts } from "../../src/taskpane/texts";
import { awaitAnswer } from "../support/feed";
import { runSteps } from "../support/run-steps";
import { checkPage } from "./access";
import { toCall } from "./call";
import { createIdle } from "./desk";
import { createGate, createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { ALWAYS, begin, companion, findHidden, openClipboard, press, serveSessions, session } from "./pane-sessions";
import CASES from "./support.json";

beforeAll(findHidden);
serveSessions();

function open({ language = "en-US", ports = createHurriedPorts(), companionUrl = companion.origin } = {}) {
  begin(ports, companionUrl);
  return openPart(session, <Settings />, { texts: toTexts(language) });
}

async function openConnected(ports = createHurriedPorts()) {
  const opened = open({ ports });
  press("Connect");
  await screen.findByText("Connected");
  const isTried = () =>
    PROBE_KINDS.every((family) => !["unknown", "asking"].includes(openAccess(session).state()[family].status));
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
const expectAllTimed = () => expect(families().filter((line) => line.endsWith(" ms"))).toHaveLength(6);
const isUnfolded = (title: string) => screen.getByText(title).closest("details")?.open;

describe("the pane", () => {
  it("shows the connection, that the data is sample data, and who sets up a provider", async () => {
    open();
    expect(screen.getByText("Not connected yet.")).toBeTruthy();
    press("Connect");
    await screen.findByText("Connected");
    for (const text of [
      `${companion.origin}/sandbox`,
      "sample-client",
      "through the companion",
      "not needed for sample data",
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(screen.getByText(/ask who runs it, in a firm the IT department/)).toBeTruthy();
    for (const name of [/provider/, "A week later"]) expect(screen.queryByRole("button", { name })).toBeNull();
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

  it("shows the client's access by family, each with its time, and probes the walk-through path on demand", async () => {
    await openConnected();
    await waitFor(expectAllTimed);
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
    expect(companion.controls.count("listCompaniesWalkThrough")).toBe(0);
    press("Try: /private-company/v1/companies");
    await waitFor(() => expect(families()[6]).toMatch(/^✓.+\d ms$/));
    expect(companion.controls.count("listCompaniesWalkThrough")).toBe(1);
  });

  it("probes access once a connection, and reuses that on the next page with its age", async () => {
    await openConnected();
    await waitFor(expectAllTimed);
    cleanup();
    openPart(session, <Settings />);
    expectAllTimed();
    expect(companion.controls.count("searchCompanies")).toBe(1);
    cleanup();
    session.feed.queryCache.close();
    const nowMs = () => Date.now() + 2 * 60 * 60_000;
    companion.controls.reset();
    await openConnected({ ...createHurriedPorts(), nowMs });
    expect(families().slice(0, 2)).toEqual(["✓Company records", "✓Financials"]);
    expect(screen.getByText("Checked 2 hours ago.")).toBeTruthy();
    expect(companion.controls.count("searchCompanies")).toBe(0);
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
});

const COUNTRY = "Default country";
const LIMIT = "Requests sent without asking";
const TIME_ZONE = "Time zone of relative dates";
const NO_COUNTRY = 'Give a code of three letters such as "JPN", or "ALL".';
const NO_TIME_ZONE = 'Give a time zone by its name, such as "Asia/Tokyo".';

let stored: Partial<PersistedSettings>[];

function openWorkbook(language = "en-US"): void {
  stored = [];
  const texts = toTexts(language);
  const persist = async (settings: Partial<PersistedSettings>) => void stored.push(settings);
  const props = { session, host: { language, hasNumberProperties: true }, persist, texts };
  openPart(session, <WorkbookSettings {...props} />, { texts });
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const pressIn = (name: string, key: string) => fireEvent.keyDown(field(name), { key });
const offered = () => [...document.querySelectorAll<HTMLElement>("[role=listbox] [role=option]")];
const offers = () => offered().map((option) => option.textContent);

const checkWorkbook = () => checkPage("region", "page-has-heading-one");

function unfold(name: string): void {
  field(name).focus();
  fireEvent.click(field(name));
}

function settle(name: string, value: string): void {
  field(name).focus();
  write(name, value);
  fireEvent.blur(field(name));
}

describe("the settings of a workbook", () => {
  beforeAll(() => configure({ defaultHidden: false })); // a folded list offers nothing
  beforeEach(() => openWorkbook());

  it("are Japan and Tokyo in a new workbook, and stored once one is changed", () => {
    expect([field(COUNTRY).value, field(TIME_ZONE).value]).toEqual(["JPN", "Asia/Tokyo"]);
    fireEvent.focus(field(COUNTRY));
    fireEvent.blur(field(COUNTRY));
    settle(COUNTRY, "jpn");
    expect(stored).toEqual([]);
    settle(COUNTRY, "sgp");
    expect(stored).toMatchObject([{ country: "SGP", timeZone: "Asia/Tokyo" }]);
  });

  it("change as they are entered, and are stored together", () => {
    settle(COUNTRY, " sgp ");
    settle(TIME_ZONE, "asia/singapore");
    const changed = { country: "SGP", timeZone: "Asia/Singapore" };
    expect(session.settings).toMatchObject(changed);
    expect(stored).toEqual([
      { numberProperties: false, companyNames: "provider", country: "SGP", timeZone: "Asia/Tokyo", requestLimit: 200 },
      { numberProperties: false, companyNames: "provider", ...changed, requestLimit: 200 },
    ]);
    expect([field(COUNTRY).value, field(TIME_ZONE).value]).toEqual(["SGP", "Asia/Singapore"]);
  });

  it.each([
    ["a country by its name", COUNTRY, "singa", "SGP Singapore"],
    ["every country", COUNTRY, "access", "ALL All countries you have access to"],
    ["a time zone by its city", TIME_ZONE, "hong", "Asia/Hong_Kong"],
    ["UTC, which engines leave out", TIME_ZONE, "utc", "UTC"],
  ])("are suggested: %s", (_, name, written, offer) => {
    unfold(name);
    write(name, written);
    expect(offers()).toEqual([offer]);
    fireEvent.click(offered()[0] as HTMLElement);
    expect(field(name).value).toBe(offer.split(" ")[0]);
    expect(stored).toHaveLength(1);
  });

  it("are all suggested while the field is empty", () => {
    unfold(COUNTRY);
    expect(offers()).toEqual(
      expect.arrayContaining(["JPN Japan", "YEM Yemen", "ALL All countries you have access to"]),
    );
    expect(offered().find((option) => option.ariaSelected === "true")?.textContent).toBe("JPN Japan");
  });

  it("accept an unlisted code as the country, whatever names start with its letters", () => {
    unfold(COUNTRY);
    write(COUNTRY, "nor");
    expect(offers()).toEqual(["NOR", "PRK North Korea"]);
    settle(COUNTRY, "nor");
    settle(TIME_ZONE, "Asia/Kolkata");
    expect(session.settings).toMatchObject({ country: "NOR", timeZone: "Asia/Kolkata" });
  });

  it("accept the first suggestion by Enter, and close the list", () => {
    field(COUNTRY).focus();
    write(COUNTRY, "singap");
    expect(offers()).toEqual(["SGP Singapore"]);
    pressIn(COUNTRY, "Enter");
    expect(field(COUNTRY).value).toBe("SGP");
    expect(offers()).toEqual([]);
  });

  it("include the names of companies, of which each holds at once and is stored", async () => {
    const names = screen.getByRole<HTMLSelectElement>("combobox", { name: "Names of companies in cells" });
    expect([...names.options].map(({ text }) => text)).toEqual(["As the provider writes them", "English", "Japanese"]);
    for (const companyNames of ["ja", "en", "provider"]) {
      fireEvent.change(names, { target: { value: companyNames } });
      expect([names.value, session.settings.companyNames]).toEqual([companyNames, companyNames]);
      expect(stored.at(-1)).toMatchObject({ companyNames });
    }
    await checkWorkbook();
  });

  it("include the number of requests sent without confirmation", async () => {
    settle(LIMIT, "1,000");
    expect(session.settings.requestLimit).toBe(1_000);
    expect(stored).toHaveLength(1);
    settle(LIMIT, "all");
    expect(screen.getByRole("alert").textContent).toBe("Give a whole number from 1 to 10,000. 1000 still holds.");
    await checkWorkbook();
  });

  it.each([
    ["an invalid code", COUNTRY, "Mars", `${NO_COUNTRY} JPN still holds.`],
    ["an offset, which not every Excel knows", TIME_ZONE, "+09:00", `${NO_TIME_ZONE} Asia/Tokyo still holds.`],
  ])("refuse %s beside the field, and keep the old value until Escape or a valid one", async (_, name, bad, words) => {
    const before = session.settings;
    settle(name, bad);
    expect(screen.getByRole("alert").textContent).toBe(words);
    expect(field(name).getAttribute("aria-invalid")).toBe("true");
    expect(field(name).getAttribute("aria-describedby")).toContain(screen.getByRole("alert").id);
    await checkWorkbook();
    expect([session.settings, stored]).toEqual([before, []]);
    pressIn(name, "Escape");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(["JPN", "Asia/Tokyo"]).toContain(field(name).value);
  });

  it("refuse an invalid entry by Enter too, and explain what to write when no suggestion matches", async () => {
    unfold(TIME_ZONE);
    write(TIME_ZONE, "Mars");
    expect(offers()).toEqual([NO_TIME_ZONE]);
    await checkWorkbook();
    pressIn(TIME_ZONE, "Enter");
    expect(screen.getByRole("alert").textContent).toBe(`${NO_TIME_ZONE} Asia/Tokyo still holds.`);
    expect(stored).toEqual([]);
  });

  it("are in Japanese, with the names of countries", async () => {
    cleanup();
    openWorkbook("ja-JP");
    unfold("既定の国");
    expect(offers().slice(0, 2)).toEqual(["JPN 日本", "SGP シンガポール"]);
    await checkWorkbook();
    settle("相対日付のタイムゾーン", "東京");
    expect(screen.getByRole("alert").textContent).toMatch(/引き続き Asia\/Tokyo が使われます。$/);
  });
});

const HOST = { language: "en-US", hasNumberProperties: true };
const ID = "3f2b8c1e-77aa-4c0d-9e51-0a1b2c3d4e5f";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** Parts that would reveal each secret, wherever a line breaks. */
const TRACES = Object.values(CASES.secrets)
  .flatMap((secret) => secret.split(/[\s.&=]+/))
  .filter((part) => /[0-9]/.test(part) || /^(?:zqv|tok_\w+)$/.test(part));

const read = (of: Session = session) => toSupportText(of, HOST, runSteps(readSnapshot(session)));
/** Enters a formula that failed. */
const enterFailed = (error: unknown) => session.calls.add(toCall({ address: "Model!A1", error }));

describe("the text for support", () => {
  beforeEach(() => session.connect());
  afterEach(() => void Reflect.deleteProperty(window, PLAYGROUND_WORKBOOK));

  it("has environment, connection, settings, states, errors and requests", () => {
    enterFailed(
      new RequestError("FEED_SERVER_FAILED", `the provider failed for ${ID}`, { status: 500, traceId: TRACE }),
    );
    const text = read();
    for (const line of [
      /^FEED for Excel\n {2}time \d{4}-/,
      /\n {2}version \d+\.\d+\.\d+\n/,
      /\n {2}language en-US\n/,
      /\nConnection\n {2}status connected\n {2}provider sample data\n {2}client id sample-client\n {2}key id \S+\n {2}mode sign, transport proxy, pairing none\n/,
      /\n {2}country JPN, time zone Asia\/Tokyo, dates from 1900\n/,
      /\nFormulas\n {2}live 1\n {2}wrong 0\n {2}failed 1\n/,
      new RegExp(`\\n {2}RANKING: FEED_SERVER_FAILED the provider failed for ${ID} · status 500 · traceId ${TRACE}\\n`),
      /\nRequests, newest first\n {2}\S+ · createToken · 200 · answered · \d+ ms · \d+ B · request \S+\n/,
    ]) {
      expect(text).toMatch(line);
    }
  });

  it("marks an unexpected failure as internal, with its place in the code", () => {
    enterFailed(new TypeError("x is undefined"));
    expect(read()).toMatch(/RANKING: FEED_INTERNAL · TypeError: x is undefined · at .*settings.*:\d+/);
  });

  it("counts formulas with the same failure as one error", () => {
    for (let row = 0; row < 3; row++) enterFailed(new RequestError("FEED_TIMED_OUT", "no answer"));
    expect(read()).toMatch(/RANKING: FEED_TIMED_OUT no answer \(3 formulas\)/);
  });

  it("counts the formulas that a request serves", async () => {
    const query = session.feed.taxonomies.queryTree();
    const enter = () => session.calls.add(toCall({ name: "TREE", queries: [query] }));
    enter();
    await awaitAnswer(session.feed, query);
    expect(read()).toMatch(/ B · 1 formula · request [0-9a-f]{16}\n/);
    enter();
    expect(read()).toMatch(/ B · 2 formulas · request /);
  });

  it("has the refresh policies of the workbook", () => {
    const refreshed = "refreshed financials open, rankings open, companies open, taxonomies open";
    expect(read()).toContain(`\n  numbers with properties off, names of companies provider\n  ${refreshed}\n`);
    const hourly: Session = { ...session, settings: { ...session.settings, refresh: toPolicies("every-60") } };
    expect(read(hourly)).toMatch(/\n {2}refreshed financials every-60,/);
  });

  it("names the playground as host", () => {
    expect(read()).toMatch(/\n {2}host not known\n/);
    Object.assign(window, { [PLAYGROUND_WORKBOOK]: {} });
    expect(read()).toMatch(/\n {2}host playground\n/);
  });

  it("marks facts not known yet", () => {
    const idle = createIdle();
    const text = toSupportText(idle, HOST, runSteps(readSnapshot(idle)));
    expect(text).toMatch(/version not known/);
    expect(text).toMatch(/Connection\n {2}status idle\n/);
    expect(text).toMatch(/Last errors\n {2}none\n/);
  });

  it.each(Object.entries(CASES.secrets))("contains no %s, in any field", (_, secret) => {
    const { configuration } = session.state();
    if (configuration === null) throw new Error("not connected");
    enterFailed(new RequestError("FEED_SERVER_FAILED", `it said ${secret}`, { traceId: secret, said: secret }));
    enterFailed(new Error(secret));
    const fields = {
      baseUrl: `https://${encodeURIComponent(secret)}/`,
      clientId: secret,
      keyId: secret,
      version: secret,
    };
    const odd: Session = {
      ...session,
      settings: {
        ...session.settings,
        timeZone: secret,
        country: secret,
        sheets: [{ name: secret, template: "ranking" }],
      },
      state: () => ({ status: "failed", configuration: { ...configuration, ...fields, sample: false }, error: secret }),
    };
    const text = toSupportText(odd, { ...HOST, language: secret }, runSteps(readSnapshot(session)));
    expect(TRACES.filter((part) => text.includes(part))).toEqual([]);
    expect(text).toContain("[removed]");
  });

  it.each(CASES.facts)("keeps a fact for support that is no secret: %s", (fact) => {
    expect(redactLikelySecrets(fact)).toBe(fact);
  });
});

describe("Copy for support", () => {
  beforeAll(findHidden);
  afterEach(() => void Reflect.deleteProperty(navigator, "clipboard"));

  it("shows the text first until it is closed, then copies exactly that", async () => {
    const { copied } = openClipboard();
    open();
    press("Copy for support");
    press("Close");
    expect(screen.queryByRole("textbox")).toBeNull();
    press("Copy for support");
    const preview = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "What will be copied" });
    expect(copied).toEqual([]);
    expect(preview.value).toMatch(/^FEED for Excel\n/);
    press("Copy");
    await screen.findByText("Copied.");
    expect(copied).toEqual([preview.value]);
    await checkPage();
  });

  it("selects the text if the browser cannot copy, and names the keys", async () => {
    open();
    press("Copy for support");
    const preview = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "What will be copied" });
    press("Copy");
    await screen.findByText(/^The browser let nothing be copied\. Press Ctrl\+C/);
    expect([preview.selectionStart, preview.selectionEnd]).toEqual([0, preview.value.length]);
    await waitFor(() => expect(document.activeElement).toBe(preview));
  });
});
