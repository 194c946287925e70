import { describe, expect, it } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import { sheetWords } from "../../src/taskpane/sheets/words";
import { toTexts } from "../../src/taskpane/texts";
import { buildTexts } from "../../src/taskpane/texts/build";
import { checkAccess } from "../support/page-access";
import { waitForStatus, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import { createKeyboard } from "./keyboard";
import { clearWorkbook, pane, readRange, readSettled, reload, type, waitFor, waitUntilSaved } from "./playground-page";
import { createPlaygroundPage, OWN_CLIPBOARD } from "./surroundings";

const at = createPlaygroundPage({ companies: 500, scheme: "dark", rules: [OWN_CLIPBOARD] });

const WITH_CRASHING_WORKER = `
  const Genuine = window.Worker;
  window.Worker = class extends Genuine {
    constructor() { super("data:text/javascript,throw new Error('crashed')"); }
  };`;

async function find(page: Page): Promise<void> {
  await type(page, ["A1", '=FEED.COMPANY.FIND("高島", "JPN", 5, "companyInformalName,companyFormalName", FALSE)']);
  await readSettled(page, "A1");
  const names = (await readRange(page, "B1:B5")).flat();
  expect(names).toHaveLength(5);
  for (const name of names) expect(name).toMatch(/髙島/);
}

/** Matches some names, and then another one without a request. */
async function match(page: Page): Promise<void> {
  const loaded = new Set<string>();
  page.context().on("request", (request) => loaded.add(new URL(request.url()).pathname));
  await type(
    page,
    ["G1", "Takasima Optcs Osaka"],
    ["G2", "Umezawa Boats"],
    ["H1", '=FEED.COMPANY.MATCH(G1:G2, "JPN", , "state,closestName", FALSE)'],
  );
  await readSettled(page, "H1");
  const before = countPages();
  await type(page, ["K1", '=FEED.COMPANY.MATCH("Sakura Foods KK", "JPN", , "closestName", FALSE)']);
  expect(String((await readSettled(page, "K1")).value)).toMatch(/Sakura Foods|さくら食品/);
  expect((await readRange(page, "H2:H2")).flat()).toEqual(["none"]);
  expect(countPages()).toBe(before);
  expect([...loaded].filter((path) => path.startsWith("/matching."))).toHaveLength(1);
}

/** Requests for pages of names; the pane also reads a single company to probe its access. */
const countPages = () =>
  at.companion.controls.requests.filter(
    ({ operationId, url }) =>
      ["listTaxonomyCompanies", "searchCompanies"].includes(operationId) && !/page_size=1(?!\d)/.test(url),
  ).length;

describe("names in the browser", () => {
  it("are searched and matched by a worker, persisted, and found after a reload without a request", async () => {
    const worker = `${at.companion.origin}/names.js`;
    await find(at.page);
    expect(at.page.workers().map((each) => each.url())).toEqual([worker]);
    expect(countPages()).toBeGreaterThan(0);
    await match(at.page);
    at.companion.controls.reset();
    await reload(at.page);
    await clearWorkbook(at.page);
    await find(at.page);
    expect(at.page.workers().map((each) => each.url())).toEqual([worker]);
    expect(countPages()).toBe(0);
  });

  it("are found and matched if the worker does not load", async () => {
    const page = await at.open({ script: WITH_CRASHING_WORKER });
    await clearWorkbook(page);
    await find(page);
    await match(page);
  });
});

const texts = toTexts("en");

/** A company by its full name, since it is one of the few that have a listed namesake. */
const COMPANY = "Sakura Bakery Co., Ltd.";

/** Companies with financials, as an analyst writes them. */
const WRITTEN = ["Yuzuriha Energy", "Komorebi Education", "Hidamari"];

it("an analyst's day goes from a typed name to a workbook that stays, by keyboard alone", async () => {
  const { page } = at;
  const hands = createKeyboard(page);
  let frame: Frame;

  const button = (name: string | RegExp) => frame.getByRole("button", { name, exact: true });
  const tab = (name: string) => frame.getByRole("tab", { name, exact: true });
  const field = (name: string) => frame.getByRole("combobox", { name, exact: true });
  const pressMenu = async (name: string) => {
    await hands.press(page.locator("#workbooks summary"), "strip");
    await hands.press(page.locator("#workbooks-list").getByRole("button", { name, exact: true }), "strip");
  };
  const waitForSheets = (count: number) =>
    page.waitForFunction((wanted) => window.playground.save().sheets.length === wanted, count);
  const waitForNumbers = (range: string) =>
    page.waitForFunction((reference) => {
      const values = window.playground.range(reference).flat();
      return values.every((value) => typeof value === "number");
    }, range);

  const readDay = async () => ({
    formulas: await page.evaluate(() =>
      window.playground.save().sheets.map(({ name, cells }) => [
        name,
        Object.entries(cells as Record<string, unknown>)
          .filter(([, content]) => String(content).includes("FEED."))
          .map(([cell]) => [cell, window.playground.formula(`'${name}'!${cell}`)]),
      ]),
    ),
    /** But for the times of their data: a sheet's counts more formulas until it has been read. */
    values: await page.evaluate(
      (asOf) =>
        window.playground
          .save()
          .sheets.map(({ name }) =>
            window.playground.range(`'${name}'!A1:I40`).map((row) => (row[0] === asOf ? [asOf] : row)),
          ),
      sheetWords[texts.language].asOf,
    ),
  });
  /** Waits until the workbook has the same values again, and compares its formulas with those before. */
  const waitForDay = async ({ formulas, values }: Awaited<ReturnType<typeof readDay>>) => {
    const isSettled = () =>
      window.playground.save().sheets.every(({ name }) => {
        return !window.playground.range(`'${name}'!A1:I40`).flat().includes("#BUSY!");
      });
    await page.waitForFunction(isSettled, undefined, { polling: 100 });
    await until(async () => JSON.stringify((await readDay()).values) === JSON.stringify(values)).catch(() => {});
    expect(await readDay()).toEqual({ formulas, values });
  };

  const begin = async () => {
    await pressMenu("New");
    await waitForSheets(1);
    frame = pane(page);
    await waitUntilConnected(frame);
    await page.keyboard.press("F6");
    await frame.locator("[data-fui-focus-visible]:focus").waitFor();
  };

  /** A name typed into Find opens the company, whose revenue and peers go into cells. */
  const findCompany = async () => {
    await hands.select(0, 0);
    await hands.press(tab(texts.parts.find));
    await hands.write(field(texts.ofFind.company), COMPANY);
    await frame.getByRole("img").first().waitFor();
    await checkAccess(frame);
    await hands.press(button(texts.ofFind.insertRevenue));
    const { value, text } = await readSettled(page, "A1");
    expect(text).toBe((value as number).toLocaleString("en"));
    await hands.select(0, 2);
    await hands.press(button(texts.ofFind.insertPeers));
    await readSettled(page, "A4");
    const industries = (await readRange(page, "F4:F40")).flat().filter((each) => each !== null && each !== "");
    expect(new Set(industries).size).toBe(1);
  };

  /** The same name in a formula gives the same figure; the pane tells what stands behind it. */
  const typeFormula = async () => {
    await type(page, ["C1", `=FEED.FINANCIAL("${COMPANY}", "FY0", "Revenue")`]);
    expect((await readSettled(page, "C1")).value).toBe((await readSettled(page, "A1")).value);
    await hands.select(2, 0);
    await hands.press(tab(texts.parts.cell));
    await frame.getByText(/(Sakura Bakery|さくらベーカリー).* · Revenue · FY20/).waitFor();
    await checkAccess(frame);
  };

  /** Another year takes the place of the latest. */
  const buildFormula = async () => {
    const latest = (await readSettled(page, "A1")).value;
    await hands.select(0, 0);
    await hands.press(tab(texts.parts.build));
    const year = field(buildTexts[texts.language].labels.year as string);
    await year.fill("2022");
    await year.press("Enter");
    await hands.press(
      frame.getByRole("button", { name: buildTexts[texts.language].replaceIn(`${await readSheet()}!A1`) }),
    );
    await page.waitForFunction(() => window.playground.formula("A1").includes("2022"));
    const { value } = await readSettled(page, "A1");
    expect([typeof value, value === latest]).toEqual(["number", false]);
  };
  const readSheet = () => page.evaluate(() => window.playground.save().sheets[0]?.name);

  /** Companies picked by name make a table without gaps. */
  const compareCompanies = async () => {
    await hands.press(tab(texts.parts.sheets));
    await hands.pick(field(texts.ofSheets.template), texts.ofSheets.templates.comparison);
    for (const name of WRITTEN) await hands.write(field(texts.ofSheets.companies), name);
    await checkAccess(frame);
    await hands.press(button(texts.ofSheets.make));
    await waitForSheets(2);
    await waitForNumbers("D17:H19");
    await waitForNumbers("D13:H16");
  };

  const refresh = async () => {
    const cell = `${await readSheet()}!A1`;
    const before = (await readSettled(page, cell)).value as number;
    at.companion.controls.perturb = (value) => value + 1000;
    await hands.press(button(texts.ofCommands.commands.refreshAll).first());
    await waitFor(page, cell, before + 1000);
    await waitForStatus(frame, /changed\./);
  };

  /** Freezing puts values in the place of all formulas, and thawing brings the same formulas back. */
  const freezeAndThaw = async () => {
    const before = (await readDay()).formulas;
    const { commands, more } = texts.ofCommands;
    for (const [command, isLive] of [
      [commands.freeze, false],
      [commands.thaw, true],
    ] as const) {
      await hands.press(button(more));
      await hands.press(button(command));
      const inAll = isLive ? /^Thaw \d+ .* in the workbook/ : /^Freeze \d+ .* in the workbook/;
      await hands.press(frame.getByRole("button", { name: inAll }));
      await page.waitForFunction((live) => window.playground.live() > 0 === live, isLive);
    }
    await checkAccess(frame);
    expect((await readDay()).formulas).toEqual(before);
  };

  await begin();
  await findCompany();
  await typeFormula();
  await buildFormula();
  await compareCompanies();
  await refresh();
  await freezeAndThaw();
  const day = await readDay();

  await waitUntilSaved(page);
  await reload(page);
  frame = pane(page);
  await waitForDay(day);

  await hands.press(tab(texts.parts.changes));
  await checkAccess(frame);
}, 120_000);

it("a ranking of another period is refreshed by the menu and goes to the printer, by keyboard alone", async () => {
  const { page, frame } = at;
  const hands = createKeyboard(page);
  const button = (name: string | RegExp) => frame.getByRole("button", { name, exact: true });
  const views = "Ranking!E14:E38";
  const readMostViewed = async () => (await readRange(page, views))[0]?.[0] as number;
  await hands.press(frame.getByRole("tab", { name: texts.parts.sheets, exact: true }));
  await hands.pick(frame.getByRole("combobox", { name: texts.ofSheets.template, exact: true }), "Ranking");
  await hands.press(button(texts.ofSheets.make));
  await readSettled(page, "Ranking!E38");
  const ofWeek = await readMostViewed();
  await hands.select(1, 2);
  await page.keyboard.type("-1m");
  await page.keyboard.press("Enter");
  await until(async () => (await readMostViewed()) > ofWeek);
  await hands.press(button(texts.ofCommands.more));
  await hands.press(button(texts.ofCommands.commands.refresh));
  await waitForStatus(frame, /refreshed\./);
  await hands.select(0, 0);
  const printed = page.evaluate(() => new Promise<void>((resolve) => (window.print = resolve)));
  await page.keyboard.press("Control+P");
  await hands.press(page.getByRole("button", { name: "Next", exact: true }), "grid");
  await printed;
});
