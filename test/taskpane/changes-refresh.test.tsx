/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { FeedCell, Workbook } from "../../src/contract/workbook";
import { Changes } from "../../src/taskpane/Changes";
import { checkPart } from "./access";
import { createFakeWorkbook } from "./fake-workbook";
import { openPart } from "./open-pane";
import { press } from "./pane-sessions";
import { at, openForEach } from "./this-cell-page";

let cells: FeedCell[];

openForEach();
beforeEach(() => {
  cells = [];
});

/** Enters a formula into cells of the workbook that share it; resolves to its first result. */
function enter(places: string[], formula: string, ...call: Parameters<typeof at.page.type>): Promise<unknown[][]> {
  for (const place of places) {
    const [sheet = "", address = ""] = place.split("!");
    cells.push({ sheet, address, formula, value: null });
  }
  return at.page.type(...call);
}

/** @param place the number of its company */
async function enterFigure(metric: string, places: string[], place = 0): Promise<number> {
  const company = at.ids[place];
  const formula = `=FEED.FINANCIAL("${company}",2023,"${metric}")`;
  const shown = await enter(places, formula, "FINANCIAL", places[0] ?? "", [[company]], [[2023]], [[metric]]);
  return Array.isArray(shown) ? Number(shown[0]?.[0]) : Number.NaN;
}

function enterRanking(place: string): Promise<unknown[][]> {
  const columns = "rank,companyName,totalPageViews,totalUniquePageViews";
  const formula = `=FEED.RANKING("2024-01-01","2024-01-31",300,"${columns}")`;
  return enter([place], formula, "RANKING", place, "2024-01-01", "2024-01-31", 300, [[columns]]);
}

function show() {
  const fake = createFakeWorkbook();
  const listFeedCells: Workbook["listFeedCells"] = async (scope) => {
    const { sheet, address } = await fake.readSelection();
    return cells.filter((cell) => scope !== "selection" || (cell.sheet === sheet && cell.address === address));
  };
  return { ...openPart(at.page.session, <Changes />, { workbook: { ...fake, listFeedCells } }), fake };
}

/** Shows the part on a figure that a refresh changes. */
async function showChanged(...places: string[]) {
  const revenue = await enterFigure("Revenue", places.length > 0 ? places : ["Model!B2"]);
  const shown = show();
  perturb([revenue]);
  await at.page.session.refresh();
  return { ...shown, revenue };
}

const perturb = (values: readonly number[]) => {
  at.companion.controls.perturb = (value) => (values.includes(value) ? value * 1.1 : value);
};
const findSection = (title: string) => screen.getByRole("heading", { name: title }).closest("section") as HTMLElement;
const section = (title = "What changed") => within(findSection(title));
const listLines = () => [...findSection("What changed").querySelectorAll("li")].map(({ textContent }) => textContent);

const toShown = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 15 });

describe("What changed", () => {
  it("is hidden without a query, explains itself before the first refresh, and gives its outcome after it", async () => {
    show();
    expect(screen.queryByRole("heading", { name: "What changed" })).toBeNull();
    await enterFigure("Revenue", ["Model!B2"]);
    await screen.findByRole("heading", { name: "What changed" });
    expect(section().getByText(/^After a refresh, the cells whose values changed stand here/)).toBeTruthy();
    await at.page.session.refresh();
    await section().findByText(/^Nothing has changed since \d\d:\d\d: each cell shows what it showed before\.$/);
  });

  it("lists three changed cells with old and new values, and none after an undo", async () => {
    const [revenue, ebit] = [await enterFigure("Revenue", ["Model!B2"]), await enterFigure("EBIT", ["Model!B3"])];
    const assets = await enterFigure("Total Assets", ["Other sheet!C5"]);
    await enterFigure("Net Income", ["Model!B4"]);
    show();
    perturb([revenue, ebit, assets]);
    await at.page.session.refresh();
    await section().findByText(/^3 cells changed since \d\d:\d\d\.$/);
    press("Other sheet 1 cell");
    const id = `${at.ids[0]?.slice(0, 8)}…`;
    expect(listLines()).toEqual([
      `B2${id} · 2023 · Revenue+10.0%${toShown(revenue)}→to${toShown(revenue * 1.1)}`,
      `B3${id} · 2023 · EBIT+10.0%${toShown(ebit)}→to${toShown(ebit * 1.1)}`,
      `C5${id} · 2023 · Total Assets+10.0%${toShown(assets)}→to${toShown(assets * 1.1)}`,
    ]);
    await checkPart();
    const requests = at.companion.controls.requests.length;
    press("Undo");
    await section().findByText(/^Undone: cells show again what they showed before \d\d:\d\d\.$/);
    await waitFor(() => expect(listLines()).toEqual([]));
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("What changed"));
    expect(section().queryByText(/still show/)).toBeNull();
    expect(at.companion.controls.requests).toHaveLength(requests);
    expect(at.page.session.calls.list()[0]?.shown).toEqual([[revenue]]);
    await checkPart();
  });

  it("names a company if its record is loaded", async () => {
    const { queryCache, companies } = at.page.session.feed;
    const query = companies.query(String(at.ids[0]));
    const stop = queryCache.observe(query, () => {});
    await waitFor(() => expect(queryCache.peek(query).status).toBe("answered"));
    await showChanged();
    const name = at.companies[0]?.companyName;
    await waitFor(() => expect(listLines()[0]).toContain(`${name} · 2023 · Revenue`));
    stop();
  });

  it("lists every cell that shares a formula", async () => {
    await showChanged("Model!B2", "Model!D2", "Other!A1");
    await section().findByText(/^3 cells changed/);
    expect(section().getByRole("button", { name: "Model 2 cells" })).toBeTruthy();
  });

  it("lists and filters cells that appeared, and marks what undo cannot revert, since there was no earlier answer", async () => {
    at.companion.controls.answers.getCompanyFinancials = { status: 403, times: 1 };
    await enterFigure("Revenue", ["Model!B2"]);
    const ebit = await enterFigure("EBIT", ["Model!B3"], 1);
    show();
    perturb([ebit]);
    await at.page.session.refresh();
    await section().findByText(/^2 cells changed/);
    expect(section().getByText("Appeared", { selector: "span" })).toBeTruthy();
    expect(section().getByText("#N/A")).toBeTruthy();
    fireEvent.change(section().getByRole("combobox", { name: "Which" }), { target: { value: "changed" } });
    expect(listLines()).toHaveLength(1);
    expect(listLines()[0]).toContain("EBIT");
    fireEvent.change(section().getByRole("combobox", { name: "Which" }), { target: { value: "" } });
    fireEvent.change(section().getByRole("searchbox", { name: "Filter" }), { target: { value: "reven" } });
    await waitFor(() => expect(listLines()).toHaveLength(1));
    expect(listLines()[0]).toContain("Revenue");
    fireEvent.change(section().getByRole("searchbox", { name: "Filter" }), { target: { value: "nobody" } });
    await section().findByText("None of them fits. Choose All, or empty the filter.");
    fireEvent.change(section().getByRole("searchbox", { name: "Filter" }), { target: { value: "" } });
    press("Undo");
    await section().findByText(/^Undone: cells show again/);
    await section().findByText(/^1 cell still shows its new value: what follows today's date, or had no answer before/);
    await waitFor(() => expect(listLines()).toHaveLength(1));
    expect(section().queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("lists a ranking's rows by company, and draws only those in sight", async () => {
    const table = await enterRanking("Top!A5");
    show();
    const [, name, views] = table[3] as [number, string, number];
    at.companion.controls.perturb = (value) => (value === views ? value + 1 : value);
    await at.page.session.refresh();
    await section().findByText(/^1 cell changed/);
    expect(listLines()[0]).toContain(`C8${name} · Page views`);
    at.companion.controls.perturb = (value) => value + 2;
    await at.page.session.refresh();
    const changed = (table.length - 1) * 2;
    await section().findByText(new RegExp(`^${changed} cells changed`));
    const lines = section().getAllByRole("listitem");
    expect(lines.length).toBeLessThan(40);
    expect(lines[1]?.getAttribute("aria-posinset")).toBe("2");
    expect(lines[1]?.getAttribute("aria-setsize")).toBe(String(table.length - 1));
    expect(section().getByRole("group", { name: `Top: ${changed} cells` }).tabIndex).toBe(0);
  });

  it("lists figures of the person's own before rankings, and the cells of a ranking's company in one line", async () => {
    const table = await enterRanking("Top!A5");
    const revenue = await enterFigure("Revenue", ["Model!B2"]);
    show();
    const views = (table[3] as number[]).slice(2);
    perturb([revenue, ...views]);
    await at.page.session.refresh();
    await section().findByText(/^3 cells changed/);
    press("Top 2 cells");
    expect(listLines()[0]).toContain("Revenue+10.0%");
    const changed = views.map((value) => `${toShown(value)}→to${toShown(value * 1.1)}`);
    expect(listLines()[1]).toBe(`C8${table[3]?.[1]}Page views${changed[0]}Unique page views${changed[1]}`);
    fireEvent.change(section().getByRole("searchbox", { name: "Filter" }), { target: { value: "unique" } });
    await waitFor(() => expect(listLines()).toHaveLength(1));
    expect(listLines()[0]).toMatch(/^D8.* · Unique page views\+10\.0%/);
  });

  it("leads to the cell, even if rows were inserted above it", async () => {
    const { fake } = await showChanged();
    fireEvent.click(await section().findByRole("button", { name: "B2", description: "Go to Model!B2" }));
    await waitFor(async () => expect(await fake.readSelection()).toMatchObject({ sheet: "Model", address: "B2" }));
    cells = cells.map((cell) => ({ ...cell, address: "B7" }));
    fireEvent.click(section().getByRole("button", { name: "B2" }));
    await waitFor(async () => expect(await fake.readSelection()).toMatchObject({ sheet: "Model", address: "B7" }));
    await section().findByRole("button", { name: "B7" });
    cells = [];
    fireEvent.click(section().getByRole("button", { name: "B7" }));
    await screen.findByText(/^Model!B7 holds no FEED\.FINANCIAL now/);
    await section().findByRole("button", { name: "Place not known 1 cell" });
  });

  it("inserts its changes as a sheet with numbers, ratios and a frozen header", async () => {
    const { fake, revenue } = await showChanged();
    await section().findByText(/^1 cell changed/);
    press("Insert as sheet");
    await screen.findByText(/^Created "Changes/);
    const [plan] = fake.sheets;
    expect(plan).toMatchObject({ frozenRows: 4 });
    expect(plan?.name).toMatch(/^Changes \d\d\.\d\d$/);
    const read = (address: string) => fake.cells.get(`${plan?.name}!${address}`);
    expect("ABCDEFGHIJ".split("").map((letter) => read(`${letter}4`))).toContain("Before");
    const row = "ABCDEFGHIJ".split("").map((letter) => read(`${letter}5`));
    expect(row.slice(0, 3)).toEqual(["Model", "B2", "FINANCIAL"]);
    expect(row.slice(4)).toEqual(["2023", "Revenue", revenue, revenue * 1.1, expect.closeTo(0.1, 10), "Changed"]);
  });
});
