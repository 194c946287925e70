/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it, jest } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { PAUSE_MS } from "../../src/taskpane/company-search";
import { MOST_SHOWN } from "../../src/taskpane/find/Companies";
import {
  checkAccess,
  click,
  field,
  find,
  isOff,
  lines,
  openCompany,
  options,
  press,
  serveFind,
  write,
} from "./find-page";
import { createGate } from "./gate";
import { findTab, openWholePane } from "./open-whole-pane";
import { ALWAYS } from "./pane-sessions";

const page = serveFind();

const SAKURA = /^Sakura Bakery/;
const LOGISTICS = /^Sakura Logistics/;

const FIELDS = "Company, English name, Ticker, Country, Public, Industry, Company id";

describe("company search", () => {
  it("starts with instructions, and examples on sample data", async () => {
    await page.openIndexed();
    expect(screen.getByText(/^Type a name in any script, a ticker or a registration number\./)).toBeTruthy();
    await checkAccess();
    click("Sakura");
    expect(field().value).toBe("Sakura");
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
  });

  it("accepts names in either language, shows both, marks and counts the matches", async () => {
    await page.openIndexed();
    await find("sakura bak", /^Sakura Bakery Co\., Ltd\.さくらベーカリー株式会社 Private JPN · [^·]+ · 2730196982816$/);
    await find("さくら物流", /^Sakura Logistics Tokyo K\.K\.さくら物流 Tokyo株式会社 Listed · 6826 JPN$/);
    const marked = [...document.querySelectorAll("[role=option] mark")].map((mark) => mark.textContent);
    expect(marked).toContain("さくら物流");
    const said = options().length === 1 ? "1 company" : `${options().length} companies`;
    expect(screen.getByText(`${said}. Arrow keys choose, Enter opens.`)).toBeTruthy();
    await checkAccess();
  });

  it("accepts an id, and a country before a name", async () => {
    const { session } = await page.openIndexed();
    await find("sakura bak", SAKURA);
    press("Enter");
    await screen.findByRole("heading", { level: 2, name: /^Sakura Bakery/ });
    const id = document.querySelector("[id^=company-]")?.textContent ?? "";
    click("Back to the results");
    write(id);
    await waitFor(() => expect(options()).toEqual([expect.stringMatching(SAKURA)]));
    session.change({ country: "SGP" });
    await find("JPN:Sakura Bak", SAKURA);
  });

  it("tells the last year of financials once an answer at hand has it, without a request", async () => {
    await page.openIndexed();
    await openCompany("sakura bak", "Sakura Bakery Co., Ltd.");
    await screen.findByText("Show as a table");
    click("Back to the results");
    const before = page.companion().controls.count("getCompanyFinancials");
    await find("Sakura Ba", /Private · financials to 20\d\d JPN/);
    expect(page.companion().controls.count("getCompanyFinancials")).toBe(before);
  });

  it("lists the closest where nothing matches, and opens one by Enter", async () => {
    await page.openIndexed();
    write("Sakura Bakary");
    await screen.findByText(/^No company of JPN fits "Sakura Bakary"\./);
    await screen.findByText(/^The closest \d names:$/);
    expect(options()[0]).toMatch(SAKURA);
    await checkAccess();
    press("Enter");
    await screen.findByRole("heading", { level: 2, name: /^Sakura Bakery/ });
  });

  it("keeps old results until there are new ones", async () => {
    await page.openIndexed();
    await find("a", /JPN/);
    let gone = 0;
    const observer = new MutationObserver(() => {
      if (lines().length === 0) gone++;
    });
    observer.observe(document.body, { childList: true, subtree: true });
    write("SGP", "Country");
    fireEvent.blur(field("Country"));
    await waitFor(() => expect(options()[0]).toMatch(/SGP/));
    observer.disconnect();
    expect(gone).toBe(0);
  });

  it("shows at most fifty", async () => {
    await page.openIndexed();
    write("k");
    await screen.findByText("More than 50 companies: write more of the name to see the others.");
    expect(options()).toHaveLength(50);
  });

  it("suggests what to try when nothing matches, and searches all countries by one click", async () => {
    await page.openIndexed();
    write("zzqx");
    await screen.findByText(
      /^No company of JPN fits "zzqx"\. Try a shorter part of the name, another spelling.* invented companies only\.$/,
    );
    await checkAccess();
    click("Search all countries");
    expect(field("Country").value).toBe("ALL");
    await screen.findByText(/^No company fits "zzqx"\./);
  });

  it("searches the chosen country, initially that of the settings", async () => {
    const { session } = await page.openIndexed();
    session.change({ country: "SGP" });
    await waitFor(() => expect(field("Country").value).toBe("SGP"));
    await find("a", /SGP/);
    for (const option of options()) expect(option).toMatch(/ SGP( · |$)/);
  });

  it("starts with a name sent by another part", async () => {
    await page.openIndexed({ initialTask: { name: "Sakura Bakery" } });
    expect(field().value).toBe("Sakura Bakery");
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
  });
});

/** The place of the line that Enter takes. */
function readActive(): number {
  const selected = lines().map((line) => line.getAttribute("aria-selected"));
  expect(lines()[selected.indexOf("true")]?.id).toBe(field().getAttribute("aria-activedescendant"));
  return selected.lastIndexOf("true");
}

describe("the result list", () => {
  it("is operated by arrow keys from the search field; Enter opens the card, behind which it is restored", async () => {
    await page.openIndexed();
    await find("sakura logi", LOGISTICS);
    expect(readActive()).toBe(0);
    press("ArrowDown");
    press("ArrowDown");
    expect(readActive()).toBe(2);
    for (let times = 0; times < 3; times++) press("ArrowUp");
    expect(readActive()).toBe(lines().length - 1);
    press("ArrowDown");
    press("ArrowDown");
    press("Escape");
    await checkAccess();
    press("Enter");
    const heading = await screen.findByRole("heading", { level: 2, name: "Sakura Logistics Tokyo K.K." });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(screen.queryByRole("combobox", { name: "Company", hidden: false })).toBeNull();
    click("Back to the results");
    expect(field().value).toBe("sakura logi");
    expect(document.activeElement).toBe(field());
    const chosen = lines().find((line) => line.getAttribute("aria-selected") === "true");
    expect(chosen?.textContent).toContain("Sakura Logistics Tokyo K.K.");
  });

  it("opens nothing by Enter that does not match the field, but what is then found for it", async () => {
    await page.openIndexed();
    await find("sakura logi", LOGISTICS);
    write("髙島");
    press("Enter");
    expect(screen.queryByRole("heading", { level: 2 })).toBeNull();
    await screen.findByRole("heading", { level: 2, name: /^Takashima/ });
  });

  it("forgets an Enter for a text that has changed since", async () => {
    await page.openIndexed();
    write("髙島");
    press("Enter");
    await find("sakura logi", LOGISTICS);
    await find("髙島", /^Takashima/);
    await act(async () => {}); // what follows the list
    expect(screen.getByRole("combobox", { name: "Company", hidden: false })).toBe(field());
  });
});

describe("the search field", () => {
  /** Opens a part of the whole pane as a person without a mouse does. */
  const openTab = (name: string) => {
    const tab = findTab(name);
    tab.focus();
    fireEvent.click(tab);
  };

  it("gets the focus whenever the part is opened", async () => {
    const session = await page.connect();
    openWholePane(session);
    expect(document.activeElement).toBe(field());
    openTab("Changes");
    openTab("Find");
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it("takes no focus while the person is in the sheet", async () => {
    jest.spyOn(document, "hasFocus").mockReturnValue(false);
    await page.open();
    jest.restoreAllMocks();
    expect(document.activeElement).toBe(document.body);
  });
});

it("Japanese input is searched after composition; its Enter and arrows belong to the input method", async () => {
  const { ports } = (await page.openIndexed()).session;
  const { after } = ports;
  let pauses = 0;
  ports.after = (delayMs, act) => {
    if (delayMs === PAUSE_MS) pauses++;
    return after(delayMs, act);
  };
  await find("sakura logi", LOGISTICS);
  const input = field();
  fireEvent.compositionStart(input);
  pauses = 0;
  write("さk");
  fireEvent.keyDown(input, { key: "ArrowDown", isComposing: true });
  fireEvent.keyDown(input, { key: "Enter", isComposing: true });
  expect([input.value, pauses]).toEqual(["さk", 0]);
  expect(input.hasAttribute("aria-activedescendant")).toBe(false);
  expect(screen.queryByRole("heading", { level: 2 })).toBeNull();
  write("さくらベーカリー");
  fireEvent.compositionEnd(input);
  await waitFor(() => expect(options()[0]).toContain("さくらベーカリー株式会社"));
  ports.after = after;
});

const WANTED =
  /^Names are searched on this machine, and those of JPN are not here yet\. Building their index takes about \d\d requests, once; searching takes none\.$/;
const BUILT = /^4,\d\d\d companies of JPN, read this minute\.$/;

/** Pages so small that a formula would not build the index. */
function makeLong(): void {
  page.companion().controls.pageCap = 150;
}

describe("the name index", () => {
  it("is built automatically if that takes few requests, with progress; stops when cancelled, and resumes", async () => {
    page.companion().controls.pageCap = 1000;
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await page.open({ ports: gate.ports });
    write("sakura bak");
    await gate.reached;
    await screen.findByText(/^Building the index of JPN: 1,\d\d\d of 4,\d\d\d names\.$/);
    expect(screen.getByRole("progressbar", { name: "Names" }).hasAttribute("value")).toBe(true);
    await checkAccess();
    click("Cancel");
    gate.open();
    await screen.findByText(
      /^The index of JPN is not finished: 1,\d\d\d of 4,\d\d\d names are here, of about \d+ requests/,
    );
    click("Build the index");
    await screen.findByText(BUILT);
    expect(screen.queryByRole("progressbar")).toBeNull();
    expect(screen.getByRole("button", { name: "Rebuild" })).toBeTruthy();
  });

  it("costs no request before the first search", async () => {
    const { session } = await page.open();
    page.companion().controls.requests.length = 0;
    await session.feed.nameIndexes.find("JPN");
    expect(session.feed.nameIndexes.state("JPN").status).toBe("none");
    expect(page.companion().controls.requests).toEqual([]);
    expect(screen.queryByRole("button", { name: "Build the index" })).toBeNull();
  });

  it("shows the cost of a long build, and the search result once it is built", async () => {
    makeLong();
    const { session } = await page.open();
    write("sakura bak");
    await screen.findByText(WANTED);
    await checkAccess();
    const query = session.feed.names.query("sakura bak", "JPN", MOST_SHOWN + 1);
    await waitFor(() => expect(session.feed.queryCache.peek(query).status).toBe("failed"));
    expect(screen.queryByText(/FEED_INDEX_NOT_READY/)).toBeNull();
    page.companion().controls.pageCap = null;
    click("Build the index");
    await screen.findByText(BUILT);
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
  });

  it("stays usable while it is rebuilt", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 10);
    await page.open({ ports: gate.ports });
    write("sakura");
    await screen.findByText(BUILT);
    click("Rebuild");
    await screen.findByRole("progressbar");
    write("sakura bak");
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
    gate.open();
    await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  });

  it("explains a failed build and the remedy, and keeps the text", async () => {
    page.companion().controls.answers.listTaxonomyCompanies = { status: 404, times: ALWAYS };
    await page.open();
    write("sakura bak");
    await screen.findByText(/^FEED_NOT_FOUND/);
    page.companion().controls.reset();
    click("Build the index");
    await screen.findByText(BUILT);
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
    expect(screen.queryByText(/^FEED_NOT_FOUND/)).toBeNull();
  });

  it("names an omitted family", async () => {
    page.companion().controls.answers.searchCompanies = { status: 403, times: ALWAYS };
    await page.open();
    write("sakura bak");
    await screen.findByText("Without private-market companies, which this client may not read.");
  });
});

describe("without a connection", () => {
  it("Find says so, and searches the typed text once connected", async () => {
    const { session } = await page.open({ isConnected: false });
    expect(screen.getByText("Companies are found once the pane is connected.")).toBeTruthy();
    write("sakura bak");
    await session.connect();
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
  });

  it("an unfinished index waits for the next connection", async () => {
    makeLong();
    const { session } = await page.open();
    write("sakura bak");
    await screen.findByText(WANTED);
    session.disconnect();
    await waitFor(() => expect(isOff("Build the index")).toBe(true));
    await checkAccess();
    await session.connect();
    await waitFor(() => expect(isOff("Build the index")).toBe(false));
  });
});

async function openTree() {
  const opened = await page.open();
  expect(page.companion().controls.count("getTaxonomyTree")).toBe(0);
  fireEvent.click(screen.getByRole("tab", { name: "Industries" }));
  await screen.findByRole("tree");
  expect(page.companion().controls.count("getTaxonomyTree")).toBe(1);
  return opened;
}

const items = () => within(screen.getByRole("tree")).getAllByRole("treeitem");
const names = () => items().map((item) => item.lastChild?.textContent);
const item = (name: string) => items()[names().indexOf(name)] as HTMLElement;
const search = (text: string) =>
  fireEvent.change(screen.getByRole("textbox", { name: "Industry" }), { target: { value: text } });

/** Presses keys on the focused element, as a person without a mouse does. */
function pressKeys(...keys: string[]): string | null | undefined {
  for (const key of keys) fireEvent.keyDown(document.activeElement as Element, { key });
  return document.activeElement?.lastChild?.textContent;
}

describe("the taxonomy", () => {
  it("is a tree of sectors, sub-sectors and industries, loaded when shown, and operated by arrow keys", async () => {
    await openTree();
    expect(items()).toHaveLength(10);
    expect(items().map(({ tabIndex }) => tabIndex)).toEqual([0, ...Array(9).fill(-1)]);
    items()[0]?.focus();
    expect(pressKeys("ArrowRight")).toBe("Food and Agriculture");
    expect(pressKeys("ArrowRight")).toBe("Processed Food");
    expect(pressKeys("ArrowRight", "ArrowRight")).toBe("Frozen Meals");
    const { activeElement } = document;
    const states = ["aria-level", "aria-posinset", "aria-setsize", "aria-expanded"];
    expect(states.map((name) => activeElement?.getAttribute(name))).toEqual(["3", "1", "5", null]);
    expect(pressKeys("ArrowDown")).toBe("Confectionery");
    expect(pressKeys("ArrowLeft")).toBe("Processed Food");
    await checkAccess();
    expect(pressKeys("ArrowLeft", "ArrowUp")).toBe("Food and Agriculture");
    expect(item("Processed Food").getAttribute("aria-expanded")).toBe("false");
    expect(pressKeys("End")).toBe(names().at(-1));
    expect(pressKeys("Home", "ArrowLeft")).toBe("Food and Agriculture");
    expect(items()).toHaveLength(10);
  });

  it("can be operated by the pointer too", async () => {
    await openTree();
    fireEvent.click(item("Food and Agriculture").firstChild as Element);
    expect(names()).toContain("Beverages");
    expect(screen.queryByRole("region", { name: "Food and Agriculture" })).toBeNull();
    fireEvent.click(item("Beverages"));
    expect(screen.getByRole("region", { name: "Beverages" })).toBeTruthy();
    expect(item("Beverages").getAttribute("aria-selected")).toBe("true");
  });

  it("filters by a word, shows the path to each match, and reports no match", async () => {
    await openTree();
    search("tea and");
    expect(names()).toEqual(["Food and Agriculture", "Beverages", "Tea and Coffee"]);
    expect(screen.getByText("Found in 1 sector.")).toBeTruthy();
    search("IND010202");
    expect(names().at(-1)).toBe("Tea and Coffee");
    search("zzqx");
    expect(screen.getByText('Nothing in the taxonomy fits "zzqx". Try a shorter word.')).toBeTruthy();
    await checkAccess();
    search("");
    expect(items()).toHaveLength(10);
  });

  it("inserts the companies of the chosen node, in the chosen country", async () => {
    const { workbook, session } = await openTree();
    search("tea and");
    act(() => item("Tea and Coffee").focus());
    pressKeys("Enter");
    await checkAccess();
    expect(screen.getByText("Industry · Food and Agriculture · Beverages · IND010202")).toBeTruthy();
    click("Insert companies of JPN");
    await screen.findByText("Inserted at Sheet1!A1.");
    expect(workbook.cells.get("Sheet1!A1")).toEqual({
      formula: `=FEED.CONSTITUENTS("industry:IND010202", "JPN", , , "${FIELDS}")`,
    });
    session.change({ country: "SGP" });
    workbook.select({ sheet: "Sheet1", address: "D1" });
    pressKeys("ArrowUp", " ");
    fireEvent.click(await screen.findByRole("button", { name: "Insert companies of SGP" }));
    await screen.findByText("Inserted at Sheet1!D1.");
    expect(workbook.cells.get("Sheet1!D1")).toEqual({
      formula: `=FEED.CONSTITUENTS("subSector:SUB0102", "SGP", , , "${FIELDS}")`,
    });
  });

  it("keeps the search text while companies are shown", async () => {
    await openTree();
    search("tea and");
    fireEvent.click(item("Tea and Coffee"));
    fireEvent.click(screen.getByRole("tab", { name: "Companies" }));
    fireEvent.click(screen.getByRole("tab", { name: "Industries" }));
    expect(names()).toEqual(["Food and Agriculture", "Beverages", "Tea and Coffee"]);
    expect(screen.getByRole("region", { name: "Tea and Coffee" })).toBeTruthy();
  });

  it("reports that the client may not read it", async () => {
    page.companion().controls.answers.getTaxonomyTree = { status: 403, times: ALWAYS };
    await page.open();
    fireEvent.click(screen.getByRole("tab", { name: "Industries" }));
    await screen.findByText(
      "This client may not read the taxonomy. Ask your administrator or the provider for access.",
    );
  });
});
