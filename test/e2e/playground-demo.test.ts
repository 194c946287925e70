import { describe, expect, it } from "@jest/globals";
import { clearWorkbook, pane, readRange, readSettled, type, waitFor, waitForDemo } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const COMPANY = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";

const at = createPlaygroundPage({ isDemo: true, isKept: true });

describe("the demo workbook on the built functions and the embedded provider", () => {
  it("has a number in every cell of the model, charts beside it, and no error or filler", async () => {
    for (const first of [6, 14, 22, 30]) {
      const figures = await readRange(at.page, `Model!C${first}:G${first + 5}`);
      expect(figures.flat().every((value) => typeof value === "number" && value !== 0)).toBe(true);
      const columns = figures[0]!.map((_, column) => figures.map((row) => Number(row[column])));
      for (const column of columns) {
        const sum = column.slice(0, 5).reduce((total, value) => total + value, 0);
        expect(column[5]).toBeCloseTo(sum, 6);
      }
    }
    const ranks = await readRange(at.page, "Ranking!A6:A30");
    expect(ranks.flat()).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    await at.page.waitForSelector(".o-figure[data-id='revenue'] canvas");
    expect(await at.page.locator(".o-figure").count()).toBe(5);
    expect([await at.page.isVisible("#sample"), await at.page.textContent("#sample")]).toEqual([true, "Sample data"]);
  });

  it("opens at its beginning on a free cell, so that the pane can insert there", async () => {
    expect(await at.page.locator(".o-scrollbar.horizontal").evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
    const place = await pane(at.page).evaluate(() => window.feedPlaygroundWorkbook.write({ cells: [["first"]] }));
    expect(place).toEqual({ sheet: "Model", address: "J2" });
    expect(await readRange(at.page, "Model!J1:J2")).toEqual([["Scratch"], ["first"]]);
  });

  it("shows the currency from the provider and the unit, and follows its parameters", async () => {
    expect(await readRange(at.page, "Model!B3:C3")).toEqual([["JPY", null]]);
    await waitFor(at.page, "Model!C2", "Figures in JPY m");
    const [[inMillions] = []] = await readRange(at.page, "Model!C6");
    await type(at.page, ["Ranking!B3", "5"], ["Model!B2", "k"]);
    await waitFor(at.page, "Model!C2", "Figures in JPY k");
    await waitFor(at.page, "Ranking!A11", null);
    expect(await readRange(at.page, "Ranking!A10")).toEqual([[5]]);
    await at.page.waitForFunction(
      (before) => Math.abs(Number(window.playground.get("Model!C6").value) / before - 1000) < 0.001,
      Number(inMillions),
    );
    await type(at.page, ["Ranking!B3", "25"], ["Model!B2", "m"]);
    await waitFor(at.page, "Model!C6", inMillions ?? null);
    await waitForDemo(at.page);
  });

  it("is restored completely from its saved form: formulas, values and styles", async () => {
    await at.page.waitForFunction(() => "feed" in window.playground.save().documentSettings, null, { polling: 100 });
    const before = await readRange(at.page, "Model!A1:H36");
    const saved = await at.page.evaluate(() => window.playground.save());
    await clearWorkbook(at.page);
    await at.page.evaluate((snapshot) => window.playground.load(snapshot), saved);
    await waitForDemo(at.page);
    expect(await readRange(at.page, "Model!A1:H36")).toEqual(before);
    expect(await at.page.evaluate(() => window.playground.save())).toEqual(saved);
  });
});

describe("a date of the provider", () => {
  it("is shown as a date in a cell and in every cell of a spill, and each stays a number", async () => {
    await clearWorkbook(at.page);
    await type(
      at.page,
      ["A2", `=FEED.FINANCIAL("${COMPANY}",2023,"periodEnd")`],
      ["A4", "=YEAR(A2)"],
      ["A8", `=FEED.FINANCIAL("${COMPANY}","2021:2023","periodEnd")`],
    );
    const end = await readSettled(at.page, "A2");
    expect(end.text).toMatch(/^202[34]-\d{2}-\d{2}$/);
    expect(end.value).toBe(Date.parse(end.text) / 86_400_000 + 25_569);
    await waitFor(at.page, "A4", Number(end.text.slice(0, 4)));
    await waitFor(at.page, "C8", end.value);
    for (const cell of ["A8", "B8", "C8"])
      expect((await readSettled(at.page, cell)).text).toMatch(/^202\d-\d{2}-\d{2}$/);
  });
});

describe("a chart that a person inserts", () => {
  const insertChart = async (cells: Record<string, string>) => {
    await at.page.evaluate((content) => {
      const { version } = window.playground.save();
      const sheet = { id: "s", name: "S", colNumber: 20, rowNumber: 40, cells: content };
      return window.playground.load({ version, sheets: [sheet] });
    }, cells);
    await at.page.click(".o-topbar-menu[data-id='insert']");
    await at.page.click(".o-menu-item[data-name='insert_chart']");
  };

  it("is drawn, and of an unsupported kind says so and leaves the grid usable", async () => {
    await insertChart({ A1: "2023", A2: "2024", B1: "10", B2: "20" });
    await at.page.waitForSelector(".o-figure canvas");
    await insertChart({ A1: "one", A2: "one", A3: "two", B1: "10", B2: "20", B3: "30" });
    expect(await at.page.textContent(".o-figure .chart-not-drawn")).toContain("Choose another in its side panel.");
    expect(await at.page.isVisible(".o-grid")).toBe(true);
  });
});
