import { expect, it } from "@jest/globals";
import type { Frame } from "playwright-core";
import { toTexts } from "../../src/taskpane/texts";
import { checkAccess } from "../support/page-access";
import { waitForStatus, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import { createKeyboard } from "./hands";
import { pane, readRange, readSettled, reload, type, waitFor, waitUntilSaved } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ companies: 500, scheme: "dark", isKept: true });

/** A company by its full name, since a listed one has the same without its legal form. */
const COMPANY = "Sakura Bakery Co., Ltd.";

/** Companies with financials, as an analyst writes them. */
const WRITTEN = ["Yuzuriha Energy", "Komorebi Education", "Hidamari"];

it("an analyst's day goes from a typed name to a workbook that stays, by keyboard alone", async () => {
  const { page } = at;
  const hands = createKeyboard(page);
  const texts = toTexts("en-US");
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
      texts.ofSheets.sheet.asOf,
    ),
  });
  /** Waits until the workbook has the same values again, and compares its formulas with those before. */
  const waitForDay = async ({ formulas, values }: Awaited<ReturnType<typeof readDay>>) => {
    await until(async () => JSON.stringify((await readDay()).values) === JSON.stringify(values)).catch(() => {});
    expect(await readDay()).toEqual({ formulas, values });
  };

  const begin = async () => {
    await pressMenu("New");
    await waitForSheets(1);
    frame = pane(page);
    await waitUntilConnected(frame);
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
    const industries = (await readRange(page, "I4:I40")).flat().filter((each) => each !== null && each !== "");
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
    const year = field(texts.ofBuild.labels.year as string);
    await year.fill("2022");
    await year.press("Enter");
    await hands.press(frame.getByRole("button", { name: texts.ofBuild.replaceIn(`${await readSheet()}!A1`) }));
    await page.waitForFunction(() => window.playground.formula("A1").includes("2022"));
    const { value } = await readSettled(page, "A1");
    expect([typeof value, value === latest]).toEqual(["number", false]);
  };
  const readSheet = () => page.evaluate(() => window.playground.save().sheets[0]?.name);

  /** Companies picked by name make a table without gaps. */
  const compareCompanies = async () => {
    await hands.press(tab(texts.parts.sheets));
    await hands.press(frame.getByRole("radio", { name: texts.ofSheets.templates.comparison }));
    for (const name of WRITTEN) await hands.write(field(texts.ofSheets.companies), name);
    await checkAccess(frame);
    await hands.press(button(texts.ofSheets.make));
    await waitForSheets(2);
    await waitForNumbers("D16:H18");
    await waitForNumbers("D12:H15");
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
      [commands.freezeWorkbook, false],
      [commands.thawWorkbook, true],
    ] as const) {
      await hands.press(button(more));
      await hands.press(button(command));
      await hands.press(frame.getByRole("button", { name: isLive ? /^Thaw \d+ / : /^Freeze \d+ / }).first());
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
