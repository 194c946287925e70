import { beforeAll, expect, it, jest } from "@jest/globals";
import { listRequests } from "../../e2e/large-workbook";
import { readRange, refreshAll, type, waitFor } from "../../e2e/playground-page";
import { createPlaygroundPage } from "../../e2e/surroundings";
import { openTab, waitUntilConnected } from "../../support/pane-page";
import { until } from "../../support/until";

jest.setTimeout(90_000);

const at = createPlaygroundPage({ companies: 1000, isDemo: true });
beforeAll(() => at.page.setDefaultTimeout(30_000)); // a sheet has thousands of formulas

const isNumber = (value: unknown): value is number => typeof value === "number";

/** Makes a sheet of a template with the first choices, and waits for its line. */
async function make(template: string, lineAt: string, text: string): Promise<void> {
  await waitUntilConnected(at.frame);
  at.companion.controls.reset();
  await openTab(at.frame, "Sheets");
  await at.frame.getByRole("combobox", { name: "Kind of sheet" }).selectOption(template);
  await at.frame.getByRole("button", { name: "Create sheet" }).click();
  await at.frame.getByRole("button", { name: `Show ${template}`, exact: true }).waitFor();
  await waitForText(lineAt, text);
}

const waitForText = (cell: string, text: string) =>
  at.page.waitForFunction(([address, part]) => String(window.playground.get(address).value).startsWith(part), [
    cell,
    text,
  ] as const);

/** Sets coloured cells, and waits until the line says something. */
async function set(cells: Record<string, string>, lineAt: string, text: string): Promise<void> {
  await type(at.page, ...Object.entries(cells));
  await waitForText(lineAt, text);
}

const waitForNumber = (cell: string, isOf: "rank" | "measure") =>
  at.page.waitForFunction(
    ([address, rank]) => {
      const { value } = window.playground.get(address);
      return typeof value === "number" && (rank ? value === 1 : value > 0.01);
    },
    [cell, isOf === "rank"] as const,
  );

const listNumbers = async (range: string) => (await readRange(at.page, range)).flat().filter(isNumber);
const readLine = async (cell: string) => String((await readRange(at.page, `${cell}:${cell}`))[0]?.[0]);

/** A bar for each value, between the least and the largest. */
function toBars(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => "▁▂▃▄▅▆▇█"[Math.round((7 * (value - least)) / (most - least))]).join("");
}

/** Comes first: its requests are counted, and others rank industries too. */
it("an industry rotation on the sample data shows each industry's share of all views, its change and its phase, and no share of ranks", async () => {
  await make("Industry rotation", "A13", "What moved, ");
  const rows = (await readRange(at.page, "A15:H64")).filter((row) => row[0] !== "");
  const history = (await readRange(at.page, "M15:T300")).filter((row) => isNumber(row[7]));
  expect(rows.length).toBe(Math.min(50, history.length));
  const totals = [0, 1, 2, 3, 4, 5, 6, 7].map((period) => history.reduce((all, row) => all + Number(row[period]), 0));
  rows.forEach((row, index) => {
    const shares = totals.map((total, period) => Number(history[index]?.[period]) / total);
    const [former = 0, share = 0] = shares.slice(-2);
    const mean = shares.reduce((all, each) => all + each, 0) / 8;
    expect([row[5], row[1], row[7]]).toEqual([share, share - former, mean].map((each) => expect.closeTo(each, 9)));
    const [rising, falling] = share >= mean ? ["Leading", "Weakening"] : ["Improving", "Lagging"];
    expect(row[3]).toBe(Number(row[1]) >= 0 ? rising : falling);
    expect(row[4]).toBe(toBars(shares));
  });
  const changes = rows.map((row) => Number(row[1]));
  const [, , name, , , share, former] = rows[changes.indexOf(Math.max(...changes))] ?? [];
  const [before, now] = [former, share].map((each) => `${(Number(each) * 100).toFixed(2)}%`);
  expect(await readLine("A13")).toContain(`▲ ${name} ${before} → ${now}`);
  // The provider's pages have 200 industries, and there are more.
  expect(listRequests(at.companion)).toEqual(Array.from({ length: 16 }, () => "rankIndustries"));
  await set({ B5: "rank" }, "A13", "A rank has no share");
  await waitFor(at.page, "F15", "");
  await set({ B5: "", B4: "-1" }, "A13", "Rows must be a whole number from 1.");
  expect((await readRange(at.page, "A15:H40")).flat().filter((value) => value !== "")).toEqual([]);
});

it("a league table on the sample data shows what its formulas' data say, again after a refresh, and follows its coloured cells", async () => {
  await make("League table", "A14", "What moved, ");
  const check = async () => {
    const rows = await readRange(at.page, "A16:H40");
    const ranks = await readRange(at.page, "K16:T40");
    const views = await readRange(at.page, "K119:T143");
    expect(rows.map(([rank]) => rank)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    rows.forEach((row, index) => {
      const [[name, code, ...periods], [, , ...measures]] = [ranks[index] ?? [], views[index] ?? []];
      const [before, now] = periods.slice(-2);
      expect(row.slice(0, 4)).toEqual([now, isNumber(before) ? before - Number(now) : "new", name, code]);
      expect(row[5]).toBe(measures.at(-1));
      const [formerViews, nowViews] = measures.slice(-2);
      const growth = isNumber(formerViews) ? Number(nowViews) / formerViews - 1 : "";
      expect(row[6]).toEqual(isNumber(growth) ? expect.closeTo(growth, 9) : "");
      expect(String(row[4])).toMatch(/^[▁-█·]{8}$/);
    });
    const changes = rows.map((row) => row[1]).filter(isNumber);
    expect(new Set(rows.map((row) => row[1])).size).toBeGreaterThan(3);
    const best = rows.find((row) => row[1] === Math.max(...changes));
    expect(await readLine("A14")).toContain(`▲ ${best?.[2]} ${best?.[7]} → ${best?.[0]}`);
    expect(await readLine("A14")).toContain(`new: ${rows.filter((row) => row[1] === "new").length}`);
  };
  await check();
  expect(listRequests(at.companion)).toEqual(Array.from({ length: 8 }, () => "rankCompanies"));
  const [, ...ends] = /^Last 8 weeks: (\S+) – (\S+)$/.exec(await readLine("B7")) ?? [];
  const [first = 0, last = 0] = ends.map((day) => Date.parse(day));
  expect([new Date(first).getUTCDay(), (last - first) / 86_400_000]).toEqual([1, 55]);
  const [[former] = []] = await readRange(at.page, "F16");
  at.companion.controls.perturb = (value) => value * 2;
  await refreshAll(at.page);
  await until(async () => (await readRange(at.page, "F16"))[0]?.[0] !== former);
  await check();

  // It follows its coloured cells, says what to write into them, and never shows an unread measure as 0.
  await set({ B6: "views" }, "F16", "#VALUE!");
  expect(await listNumbers("F16:G40")).toEqual([]);
  await set({ B6: "" }, "F15", "Page views");
  await waitForNumber("F16", "measure");
  await set({ B6: "rank" }, "F15", "rank");
  await waitForNumber("F16", "rank");
  expect(await listNumbers("G16:G40")).toEqual([]);
  for (const rows of ["0", "1.5", "-1"]) await set({ B4: rows }, "A14", "Rows must be a whole number from 1.");
  await set({ B4: "all" }, "A14", "What moved, ");
  await set({ B3: "-60w" }, "A14", "There are more than 52 periods: give fewer.");
  await set({ B3: "2024-02:2024-05" }, "A14", "What moved, 2024-05");
  expect(await readLine("B7")).toBe("2024-02-01 – 2024-05-31");
  await set({ B3: "2024-03-05:2024-03-08" }, "B7", "2024-03-05 – 2024-03-08");
  await set({ B3: "2024-12:2024-01" }, "A14", "#VALUE!");
  expect(await listNumbers("A16:H41")).toEqual([]);
  await set(
    { B3: "-1w", B4: "5", B5: "industries", B6: "" },
    "A14",
    "Nothing to compare: the period before has no values here.",
  );
  await waitFor(at.page, "A21", "");
  await waitFor(at.page, "A20", 5);
  expect((await readRange(at.page, "B16:B20")).flat()).toEqual(["", "", "", "", ""]);
});

it("a sheet of movers on the sample data shows the largest moves, and says the best and the worst", async () => {
  await make("Movers", "A16", "What moved, compared with 2");
  const [, first = ""] = /^Last 7 days: (\S+) – \S+$/.exec(await readLine("B8")) ?? [];
  const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
  expect(await readLine("A16")).toMatch(new RegExp(`^What moved, compared with \\S+ – ${before} `));
  const rows = await readRange(at.page, "A18:I42");
  const moves = rows.map((row) => row[2]).filter(isNumber);
  expect(rows.map((row) => row[3]).every((name) => typeof name === "string")).toBe(true);
  for (const [rank, before, change] of rows) if (isNumber(change)) expect(change).toBe(Number(before) - Number(rank));
  const sizes = rows.map(([now, before]) =>
    Math.abs((isNumber(now) ? now : 1001) - (isNumber(before) ? before : 1001)),
  );
  expect(sizes[0]).toBeGreaterThan(0);
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  const [best, worst] = [Math.max(...moves), Math.min(...moves)].map((move) => rows.find((row) => row[2] === move));
  expect(await readLine("A16")).toContain(`▲ ${best?.[3]} ${best?.[1]} → ${best?.[0]}`);
  expect(await readLine("A16")).toContain(`▼ ${worst?.[3]} ${worst?.[1]} → ${worst?.[0]}`);
  await set({ B3: "soon" }, "A16", "#VALUE!");
  await set({ B3: "2024-01-15" }, "A16", "What moved, compared with 2024-01-14   ");
  const byRank = await readRange(at.page, "A18:I42");
  await set({ B7: "Page views" }, "A16", "What moved, ");
  await until(async () => JSON.stringify(await readRange(at.page, "A18:I42")) !== JSON.stringify(byRank));
  expect(await readLine("B8")).toBe("2024-01-15");
});

it("a heat map on the sample data has 18 page types across, their shares now and before, and colours what is unusual", async () => {
  await make("Heat map", "A11", "What moved, 7 days");
  expect(listRequests(at.companion)).toEqual(["rankCompanyPages", "rankCompanyPages"]);
  expect(await readLine("B5")).toMatch(/^\d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d$/);
  const [headings = []] = await readRange(at.page, "A15:W15");
  expect(headings).toHaveLength(23);
  const rows = await readRange(at.page, "E16:W40");
  const sum = (column: number) => rows.reduce((all, row) => all + Number(row[column]), 0);
  const [shares = [], formers = [], changes = []] = await readRange(at.page, "F12:W14");
  shares.forEach((share, index) => {
    expect(share).toBeCloseTo(sum(index + 1) / sum(0), 9);
    expect(changes[index]).toBeCloseTo(Number(share) - Number(formers[index]), 9);
  });
  expect(shares).not.toEqual(formers);
  const most = changes.indexOf(Math.max(...changes.map(Number)));
  const before = `${(Number(formers[most]) * 100).toFixed(2)}%`;
  expect(await readLine("A11")).toContain(`▲ ${headings[5 + most]} ${before}`);
});
