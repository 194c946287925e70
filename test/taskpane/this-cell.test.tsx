/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it, jest } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { nameCompany } from "../../src/taskpane/named-companies";
import { AnswerNotes } from "../../src/taskpane/ThisCell";
import { Sources } from "../../src/taskpane/this-cell/QueryFacts";
import { untilPersisted } from "../feed/persisted-cache-storage";
import { awaitAnswer } from "../support/feed";
import { checkPart } from "./access";
import { openPart } from "./open-pane";
import { ALWAYS, openClipboard } from "./pane-sessions";
import {
  at,
  fact,
  findCompany,
  misspell,
  openCells,
  openForEach,
  readJson,
  section,
  select,
  show,
  showCell,
  showRevenue,
  toRevenue,
  typeRevenue,
} from "./this-cell-page";

const FIGURE = "The value in the answer, with its statement and year";
const DAY_S = 24 * 3600;

openForEach();

describe("a cell with a figure", () => {
  it("shows the query, its time, its freshness, its request and the figure's piece, and opens in Build", async () => {
    const [[value] = []] = await typeRevenue(at.ids[0]);
    const { opened } = await showCell({ "Model!B2": toRevenue(at.ids[0]) });
    expect(await fact("Query")).toBe(`Financials of a company companyId: ${at.ids[0]} · year: 2023`);
    expect(await fact("As of")).toMatch(/^\w+ \d+, 20\d\d, \d\d:\d\d:\d\d \(this minute\)$/);
    expect(await fact("Origin")).toBe("Asked since the pane opened");
    expect(await fact("Freshness")).toMatch(/^Fresh until \w+ \d+, 20\d\d/);
    expect(await fact("Requests")).toMatch(/^getCompanyFinancials .+ · \d+ ms · status 200$/);
    const { companyId, years } = readJson(FIGURE);
    expect([companyId, years.length, years[0].year]).toEqual([at.ids[0], 1, 2023]);
    expect(years[0].statements).toEqual([
      expect.objectContaining({ statementType: "INCOME_STATEMENT", metrics: [{ name: "Revenue", value }] }),
    ]);
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Edit B2 in Build" }));
    expect(opened).toEqual([["build", { formula: toRevenue(at.ids[0]), place: { sheet: "Model", address: "B2" } }]]);
  });

  it("shows how many other formulas share the answer", async () => {
    await Promise.all([2021, 2022, 2023].map((year, row) => typeRevenue(at.ids[0], `B${row + 1}`, year)));
    const { workbook } = show({ "Model!B1": toRevenue(at.ids[0], 2021) });
    await select(workbook, "B1");
    expect(await fact("Origin")).toBe("Asked since the pane opened, shared with 2 other formulas");
    expect(section().getByText("Also from this answer: 2 other formulas")).toBeTruthy();
  });

  it("shows that the answer was cached by an earlier page", async () => {
    await typeRevenue(at.ids[5]);
    await untilPersisted(1);
    at.page.session.feed.queryCache.close();
    const before = at.companion.controls.count("getCompanyFinancials");
    at.page = await openCells(at.companion.origin);
    await showRevenue(at.ids[5]);
    expect(await fact("Origin")).toMatch(/^From what was kept on .+; no request went out for it$/);
    expect(await fact("Requests")).toMatch(/^getCompanyFinancials \w+ \d+, /);
    expect(at.companion.controls.count("getCompanyFinancials")).toBe(before);
  });

  it("keeps its answer when a refresh fails, and says why", async () => {
    await typeRevenue(at.ids[0]);
    at.companion.controls.answers.getCompanyFinancials = { status: 403, times: ALWAYS };
    await at.page.session.refresh();
    await showCell({ "Model!B2": toRevenue(at.ids[0]) });
    await section().findByText(/^The last refresh failed, so the value is the one of before:/);
    expect(section().getByText(/^FEED_SCOPE_MISSING/)).toBeTruthy();
    expect(await fact("Requests")).toMatch(
      /^getCompanyFinancials .+ status 403 · traceId .+getCompanyFinancials .+ status 200$/,
    );
    expect(readJson(FIGURE).companyId).toBe(at.ids[0]);
    await checkPart();
  });

  it("that depends on a failed cell names that cell and leads to it", async () => {
    await at.page.type("COMPANY", "Model!B3", [[{ type: "Error", basicValue: "#VALUE!" }]], [["companyName"]]);
    const { workbook } = show({ "Model!B3": '=FEED.COMPANY(A1,"companyName")' });
    workbook.cells.set("Model!A1", "#VALUE!");
    workbook.select({ sheet: "Model", address: "B3" });
    await section().findByText("It depends on Model!A1, which shows an error. Correct that cell first.");
    expect(section().queryByText(/failed on its own/)).toBeNull();
    section().getByRole("button", { name: "Go to Model!A1" }).click();
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ sheet: "Model", address: "A1" }));
  });

  it("shows an error's reason and remedy instead, and the failed requests", async () => {
    at.companion.controls.rateLimit = { requests: 0, windowMs: 90_000, retryAfterSeconds: 90 };
    await at.page.type("RANKING", "Model!A1", "2024-01-01", "2024-01-07");
    await at.page.type("FINANCIAL", "Model!B2", [[at.ids[0]]], [["Revenue"]], [[2023]]);
    const { workbook } = show({
      "Model!A1": '=FEED.RANKING("2024-01-01", "2024-01-07")',
      "Model!B2": `=FEED.FINANCIAL("${at.ids[0]}", "Revenue", 2023)`,
    });
    await select(workbook, "B2");
    await section().findByText(/year and metric look swapped/);
    expect(section().queryByRole("textbox")).toBeNull();
    await select(workbook, "A1");
    await section().findByText(/^FEED_RATE_LIMITED/);
    expect(await fact("Requests")).toMatch(/^rankCompanies .+ · status 429 · traceId .+$/);
  });

  it("tells its origin in a line, which can be copied", async () => {
    const given = [[[at.ids[0]]], [[2023]], [["Revenue"]], null, [["m"]]];
    const [[value] = []] = await at.page.type("FINANCIAL", "Model!B2", ...given);
    await showCell({ "Model!B2": `=FEED.FINANCIAL("${at.ids[0]}", 2023, "Revenue", , "m")` });
    const line = section().getByText(/ · fetched \d\d:\d\d$/).textContent ?? "";
    expect(line).toMatch(/ · Revenue · FY2023 \(to \d+ \w+ 20\d\d\) · JPY [\d,.]+ ÷ 1m · consolidated · fetched /);
    const [, amount = ""] = /JPY ([\d,.]+) /.exec(line) ?? [];
    expect(Number(amount.replaceAll(",", "")) / 1e6).toBeCloseTo(Number(value), 6);
    const { copied } = openClipboard();
    fireEvent.click(section().getByRole("button", { name: "Copy" }));
    await screen.findByText("Copied.");
    expect(copied).toEqual([line]);
  });

  it("says that the index offers another company for a name, and keeps the workbook's until one is chosen", async () => {
    const { session } = at.page;
    const { name, id } = findCompany();
    const kept = at.ids.find((each) => each !== id) ?? "";
    const { country } = session.settings;
    session.feed.resolutions.adopt([{ name, country, companyId: kept, companyName: "Kept Foods" }]);
    await session.feed.nameIndexes.build(country);
    const { opened } = await showRevenue(name);
    await section().findByText(`“${name}” means Kept Foods in this workbook (${kept}).`);
    await section().findByText(new RegExp(`^The index now gives ${name} for it\\.`));
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Choose another…" }));
    expect(opened).toEqual([["find", { name, named: { name, country } }]]);
    nameCompany(session, { name, country }, { id: id ?? "", name });
    await section().findByText(`“${name}” means ${name} in this workbook (${id}).`);
    await waitFor(() => expect(section().queryByText(/^The index now gives/)).toBeNull());
  });

  it("can be refreshed alone", async () => {
    await typeRevenue(at.ids[0]);
    await typeRevenue(at.ids[1], "B3");
    const before = at.companion.controls.count("getCompanyFinancials");
    await showCell({ "Model!B2": toRevenue(at.ids[0]) });
    fireEvent.click(section().getByRole("button", { name: "Refresh this" }));
    await screen.findByText(/^1 formula refreshed\./);
    expect(at.companion.controls.count("getCompanyFinancials")).toBe(before + 1);
  });
});

describe("a cell of a table", () => {
  const formula = '=FEED.RANKING("2024-01-01", "2024-01-07", 25)';

  it("shows its position in the table, and the row of the answer behind it", async () => {
    await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 25);
    const { workbook } = show({ "Model!B2": formula });
    await select(workbook, "C5");
    expect(await section().findByText("Row 4, column 2 of the table from B2")).toBeTruthy();
    expect(readJson("Its row in the answer")).toEqual(at.ranked[2]);
    await select(workbook, "C6");
    await waitFor(() => expect(readJson("Its row in the answer")).toEqual(at.ranked[3]));
    await select(workbook, "A1");
    await section().findByText(/^Model!A1 shows nothing of FEED\./);
  });

  it("can be refreshed where it shows an error, since other cells show values", async () => {
    await at.page.type("FINANCIAL", "Model!B2", at.ids[0], "1999:2023", "Revenue");
    const { workbook } = show({ "Model!B2": `=FEED.FINANCIAL("${at.ids[0]}", "1999:2023", "Revenue")` });
    await select(workbook, "C2");
    await section().findByText("FEED_NO_VALUE");
    expect(section().getByRole("button", { name: "Refresh this" })).toBeTruthy();
  });

  it("shows the whole answer, folded and truncated, if no part is its own", async () => {
    await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", "all");
    await showCell({ "Model!B2": '=FEED.RANKING("2024-01-01", "2024-01-07", "all")' });
    fireEvent.click(await section().findByRole("button", { name: /^▸?The whole answer/, expanded: false }));
    expect(section().getByText("Cut after 20,000 characters.")).toBeTruthy();
    expect((section().getByRole("textbox") as HTMLTextAreaElement).value).toHaveLength(20_000);
    await checkPart();
  });

  it("in a grid shows its own query, and its own failure", async () => {
    const companies = [[at.ids[0]], [at.ids[1]], ["9999999999999"]];
    await at.page.type("FINANCIAL", "Model!B2", companies, [[2022, 2023]], [["Revenue"]]);
    const { workbook } = show({ "Model!B2": '=FEED.FINANCIAL(A2:A4, B1:C1, "Revenue")' });
    for (const [row, [id]] of companies.entries()) workbook.cells.set(`Model!A${row + 2}`, String(id));
    workbook.cells.set("Model!B1", 2022);
    workbook.cells.set("Model!C1", 2023);
    await select(workbook, "C3");
    expect(await fact("Query")).toBe(`Financials of a company companyId: ${at.ids[1]} · year: all`);
    expect(readJson(FIGURE).companyId).toBe(at.ids[1]);
    await select(workbook, "C4");
    await section().findByText(/^FEED_NOT_FOUND/);
    expect(await fact("Query")).toBe("Financials of a company identifier: 9999999999999 · year: 2023");
  });
});

describe("a cell without a piece of its own", () => {
  it("inside a calculation shows FEED's answer, and says so", async () => {
    await typeRevenue(at.ids[0]);
    await showCell({ "Model!B2": `${toRevenue(at.ids[0])} * 2` });
    await section().findByText(/^The cell calculates further with what FEED answers/);
    expect(section().getByRole("button", { name: /The whole answer/, expanded: false })).toBeTruthy();
  });

  it("is listed once, even if an equal formula exists elsewhere", async () => {
    for (const address of ["B2", "B3"]) await typeRevenue(at.ids[0], address);
    await showCell({ "Model!B2": toRevenue(at.ids[0]) });
    expect(await fact("Origin")).toBe("Asked since the pane opened, shared with 1 other formula");
  });

  it("names no other formula's query if its own is unknown", async () => {
    await typeRevenue(at.ids[0]);
    const { workbook } = show({ "Model!B3": toRevenue(at.ids[0], 2022) });
    await select(workbook, "B3");
    await section().findByText(/^It cannot be told what the formula in Model!B3 asked for/);
  });
});

describe("a cell that is not all that its formula seems", () => {
  it("is told through names, beside a call of its own", async () => {
    for (const year of [2022, 2023]) await typeRevenue(at.ids[0], "B2", year);
    const { workbook } = show({ "Model!B2": `=Rev-${toRevenue(at.ids[0], 2023).slice(1)}` });
    workbook.defined.push({ name: "Rev", sheet: null, formula: toRevenue(at.ids[0], 2022) });
    await select(workbook, "B2");
    await section().findAllByText(/^FEED is called in a name\..*, 2022, "Revenue"\)\)-FEED\.FINANCIAL\(.*Name Manager/);
    expect(section().getAllByText("Query")).toHaveLength(2);
    await checkPart();
  });

  it.each(["", "+50"])("is named as a dead copy of Google Sheets, calculated on with %j", async (rest) => {
    await select(show({ "Model!B2": `=IFERROR(__xludf.DUMMYFUNCTION("FEED.STATUS()"),100)${rest}` }).workbook, "B2");
    await section().findByText(/^1 cell holds a dead copy of a formula, .*: Model!B2\. Thaw brings back/);
    expect(section().queryByText(/shows nothing of FEED|cannot be told/)).toBeNull();
  });

  const table = 'FEED.RANKING("2024-01-01", "2024-01-07", 25)';
  const cut = /^1 cell shows a part of a table only: Model!B2\. @, SINGLE or an array formula/;

  it("names a part of a table after @, and no whole one", async () => {
    await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 25);
    const { workbook } = show({ "Model!B2": `=@${table}`, "Model!F2": `=${table}` });
    await select(workbook, "B2");
    await section().findByText(cut);
    await select(workbook, "F2");
    await section().findByText(/^Row 1, column 1 of the table from F2/);
    expect(section().queryByText(/part of a table/)).toBeNull();
  });

  it("names a part of a table in each cell of an array formula, with the row behind it", async () => {
    await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 25);
    const { workbook } = show({ "Model!C5": `=${table}` });
    const cell = { sheet: "Model", address: "B2", formula: `=${table}`, value: "Rank", array: [4, 3] as const };
    workbook.listFeedCells = async () => [cell];
    await select(workbook, "C5");
    await section().findByText(cut);
    expect(readJson("Its row in the answer")).toEqual(at.ranked[2]);
  });
});

it("the selection behind a hidden part is not read until the part is shown", async () => {
  await typeRevenue(at.ids[0]);
  const { workbook } = show({ "Model!B2": toRevenue(at.ids[0]) });
  await section().findByText(/^Sheet1!A1 shows nothing of FEED\./);
  const main = document.querySelector("main") as HTMLElement;
  main.hidden = true;
  const look = jest.spyOn(workbook, "readSelection");
  await act(async () => workbook.select({ sheet: "Model", address: "B2" }));
  expect(look).not.toHaveBeenCalled();
  main.hidden = false;
  await waitFor(() => expect(look).toHaveBeenCalled());
  expect(await fact("Query")).toContain("year: 2023");
});

it("an answer on its way says how many rows of its list have come", async () => {
  const state = { status: "pending", progress: { rows: Array(1_000), expected: 4_000 } } as const;
  const query = at.page.session.feed.taxonomies.queryTree();
  openPart(at.page.session, <AnswerNotes known={{ query, state, requests: [], shared: 0, piece: null }} />);
  await screen.findByText("1,000 of 4,000 rows so far…");
});

it("a request's trace id is copied for support", async () => {
  const traceId = "7f1c2f8e-1a55-4f3e-9a0e-2b8f5d7f0c11";
  openPart(at.page.session, <Sources sources={[{ operation: "rankCompanies", sentAtMs: Date.now(), traceId }]} />);
  const { copied, deny } = openClipboard();
  fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
  await screen.findByText("Copied.");
  expect(copied).toEqual([traceId]);
  deny();
  fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
  await screen.findByText(/^The browser let nothing be copied/);
  expect(String(getSelection())).toBe(traceId);
  await checkPart();
});

it("the copied JSON is the one shown; if the browser cannot copy, it is selected", async () => {
  await showRevenue();
  const { copied, deny } = openClipboard();
  fireEvent.click(await section().findByRole("button", { name: "Copy JSON" }));
  await screen.findByText("Copied.");
  expect(JSON.parse(copied[0] ?? "")).toEqual(readJson(FIGURE));
  deny();
  fireEvent.click(section().getByRole("button", { name: "Copy JSON" }));
  await screen.findByText(/^The browser let nothing be copied/);
  await waitFor(() => expect(document.activeElement).toBe(section().getByRole("textbox", { name: FIGURE })));
});

/** Shows a table's cell that displays what `shown` holds. */
async function showTable(shown: { value: string }) {
  await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 3);
  const { workbook } = show({ "Model!B2": '=FEED.RANKING("2024-01-01","2024-01-07",3)' });
  const { readFeedCell } = workbook;
  workbook.readFeedCell = async () => {
    const cell = await readFeedCell.call(workbook);
    return cell?.address === "B2" ? { ...cell, value: shown.value } : cell;
  };
  await select(workbook, "B2");
  return workbook;
}

describe("a cell whose table cannot spill", () => {
  it("says why, and leads to what is in the way", async () => {
    const workbook = await showTable({ value: "#SPILL!" });
    workbook.cells.set("Model!B4", "mine");
    await section().findByText(
      "#SPILL! Its table does not fit: other cells are in the way, or the sheet ends. Empty them, or move the formula.",
    );
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Show what is in the way" }));
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ address: "B4" }));
  });

  it("no longer does once the cell shows its table", async () => {
    const shown = { value: "#SPILL!" };
    const workbook = await showTable(shown);
    await section().findByText(/^#SPILL! /);
    shown.value = "Rank";
    await act(async () => workbook.select({ sheet: "Model", address: "B2" }));
    await waitFor(() => expect(section().queryByText(/#SPILL!/)).toBeNull());
    await section().findByText(/^Row 1, column 1/);
    expect(section().queryByRole("button", { name: "Show what is in the way" })).toBeNull();
  });
});

/** Makes the companion report this age of the provider's answers. */
function age(seconds: number): void {
  const { ports } = at.page.session;
  const { fetch: send } = ports;
  ports.fetch = async (url, init) => {
    const response = await send(url, init);
    const { status, headers } = response;
    return new Response(await response.text(), {
      status,
      headers: { ...Object.fromEntries(headers), age: `${seconds}` },
    });
  };
}

/** Shows a company's cell. */
async function showCompany(): Promise<void> {
  await at.page.type("COMPANY", "Model!B2", [[at.ids[0]]], [["legalName"]]);
  await showCell({ "Model!B2": `=FEED.COMPANY("${at.ids[0]}", "legalName")` });
}

describe("a cell with an answer from the companion's cache", () => {
  it("shows the time the provider gave it, that it is older than wanted, and the newer one's after a refresh", async () => {
    age(8 * DAY_S);
    await showCompany();
    expect(await fact("As of")).toMatch(/\(8 days ago\)$/);
    expect(await fact("Freshness")).toMatch(/^Older than wanted since .+; refresh to ask again$/);
    expect(await fact("Origin")).toBe("Asked since the pane opened");
    age(0);
    await act(async () => void (await at.page.session.refresh()));
    await waitFor(async () => expect(await fact("As of")).toMatch(/\(this minute\)$/));
  });

  it("is fresh for a time reduced by its age", async () => {
    age(6 * DAY_S);
    await showCompany();
    const [, until = ""] = /^Fresh until (.+)$/.exec((await fact("Freshness")) ?? "") ?? [];
    expect(Math.round((Date.parse(until) - Date.now()) / (DAY_S * 1000))).toBe(1);
  });
});

/** No company has it. */
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

it("a cell whose name means a company without figures says so and takes the choice back", async () => {
  const { name } = findCompany();
  const { session } = at.page;
  const { country } = session.settings;
  session.feed.resolutions.adopt([{ name, country, companyId: UNKNOWN, companyName: "Kept Foods" }]);
  const { opened } = await showRevenue(name);
  await section().findByText(/^“.+” means Kept Foods in this workbook \(/);
  expect(section().getByText(/^FEED_NOT_FOUND/)).toBeTruthy();
  expect(
    section().getByText(new RegExp(`^Kept Foods, which "${name}" means here, has no financials for 2023`)),
  ).toBeTruthy();
  expect(section().queryByRole("button", { name: /Find$/ })).toBeNull(); // one button for one thing
  await checkPart();
  fireEvent.click(section().getByRole("button", { name: "Choose another…" }));
  expect(opened).toEqual([["find", { name, named: { name, country } }]]);
  fireEvent.click(await section().findByRole("button", { name: "Forget this choice" }));
  await section().findByText(/ · fetched \d\d:\d\d$/);
  expect(session.feed.resolutions.find({ name, country })?.companyName).toBe(name);
});

it("a cell whose name means no company by a person's choice says so and takes the choice back", async () => {
  const { name } = findCompany();
  const { resolutions } = at.page.session.feed;
  resolutions.adopt([{ name, country: "JPN", companyId: "", companyName: "" }]);
  await showRevenue(name);
  await section().findByText(/^“.+” has no company in this workbook: somebody chose/);
  expect(section().getByText(/^FEED_NO_VALUE/)).toBeTruthy();
  fireEvent.click(await section().findByRole("button", { name: "Forget this choice" }));
  await waitFor(() => expect(resolutions.find({ name, country: "JPN" })?.companyName).toBe(name));
});

describe("what a cell's text means by its index alone", () => {
  const means = / means .+ in this workbook \(/;
  const forget = () => section().queryByRole("button", { name: "Forget this choice" });

  /** Waits until the index has told whose the text is. */
  const search = async (name: string) => {
    const { feed } = at.page.session;
    await awaitAnswer(feed, feed.names.query(name, "JPN", "exact"));
  };

  it("is no choice that could be forgotten: a ticker, a name of one company", async () => {
    const ticker = String(at.ranked.find(({ tickerSymbol }) => tickerSymbol)?.tickerSymbol);
    for (const text of [ticker, findCompany().name]) {
      await typeRevenue(text);
      const { workbook } = show({ "Model!B2": toRevenue(text) });
      await select(workbook, "B2");
      await section().findByText(means);
      await act(() => search(text));
      expect([text, forget()]).toEqual([text, null]);
      expect(section().getByRole("button", { name: "Choose another…" })).toBeTruthy();
      cleanup();
    }
  });

  it("is no choice for a ticker where no index is at hand, unlike a name", async () => {
    const texts = { B2: "9999", B3: "Kept" };
    const { resolutions } = at.page.session.feed;
    resolutions.adopt(
      Object.values(texts).map((name) => ({ name, country: "JPN", companyId: UNKNOWN, companyName: `${name} Foods` })),
    );
    for (const [cell, name] of Object.entries(texts)) await typeRevenue(name, cell);
    const { workbook } = show({ "Model!B2": toRevenue(texts.B2), "Model!B3": toRevenue(texts.B3) });
    await select(workbook, "B3");
    await section().findByRole("button", { name: "Forget this choice" });
    await select(workbook, "B2");
    await section().findByText(means);
    await act(() => at.page.session.feed.nameIndexes.find("JPN"));
    expect(forget()).toBeNull();
  });

  it("is a choice where no company has the text, and can be forgotten", async () => {
    const { name } = findCompany();
    await typeRevenue(name, "B3"); // builds the index
    const written = misspell(name);
    at.page.session.feed.resolutions.adopt([
      { name: written, country: "JPN", companyId: at.ids[0] ?? "", companyName: name },
    ]);
    await showRevenue(written);
    fireEvent.click(await section().findByRole("button", { name: "Forget this choice" }));
    await section().findByText("correct the spelling, or choose the company");
  });
});
