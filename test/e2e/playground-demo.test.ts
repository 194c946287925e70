import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { openTab } from "../support/pane-page";
import { until } from "../support/until";
import {
  chooseInMenu,
  clearWorkbook,
  openPlayground,
  openWorkbook,
  pane,
  read,
  readDownload,
  readRange,
  readSettled,
  type,
  waitFor,
  waitForDemo,
  waitForName,
} from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const COMPANY = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const RANKING_ALL = '=FEED.RANKING("2024-01-01","2024-01-31","all")';
const RANKING_NOT_ASKED_YET = '=FEED.RANKING("2024-03-01","2024-03-31","all")';
const FIGURE = `=FEED.FINANCIAL("${COMPANY}",2023,"Revenue")`;
const TABLE = '=FEED.RANKING("2023-05-01","2023-05-31",3)';
/** Much longer than a query outlives its cell. */
const LONG_MS = 10_000;

const at = createPlaygroundPage({ isDemo: true, isKept: true });

/** The part of a file that has the add-in's settings. */
const EXTENSION = "xl/webextensions/webextension1.xml";

/** The demo as a file. */
let file: { name: string; mimeType: string; buffer: Buffer };

const download = async (): Promise<typeof file> => {
  const downloading = at.page.waitForEvent("download");
  await chooseInMenu(at.page, "Download as Excel");
  const given = await downloading;
  return { name: given.suggestedFilename(), mimeType: "", buffer: await readDownload(given) };
};
beforeAll(async () => {
  file = await download();
});

const upload = async (files: typeof file) => {
  const choosing = at.page.waitForEvent("filechooser");
  await chooseInMenu(at.page, "Open an Excel file…");
  await (await choosing).setFiles(files);
};
const readAll = async () => ({
  values: await Promise.all(["Model!A1:H36", "Ranking!A1:I30"].map((range) => readRange(at.page, range))),
  formulas: await at.page.evaluate(() =>
    ["A1", "B3", "C6", "C14", "H6", "C22", "G36"].map((cell) => window.playground.formula(`Model!${cell}`)),
  ),
});

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
});

it("the sample workbook as an Excel file has its name, live formulas and last values", async () => {
  expect(file.name).toBe("Sample workbook.xlsx");
  const sheets = Object.entries(unzipSync(file.buffer)).filter(([path]) => path.startsWith("xl/worksheets/sheet"));
  const texts = sheets.map(([, content]) => strFromU8(content));
  expect(texts.join("").match(/<f[^>]*>FEED\./g)).toBeNull();
  expect(texts[1]).toMatch(/<f t="array" ref="A5:I30">_xldudf_FEED_RANKING\(B1,B2,B3\)<\/f><v>Rank<\/v>/);
  const [total] = await readRange(at.page, "Model!G11");
  expect(texts[0]).toContain(`<v>${total?.[0]}</v>`);
});

describe("a file that is not opened", () => {
  const OLD = Buffer.from("d0cf11e0a1b11ae1000000000000", "hex");
  const SECRET = Buffer.concat([OLD.subarray(0, 8), Buffer.from("EncryptedPackage", "utf16le")]);

  const expectRefusal = async (sentence: string) => {
    await at.page.locator("#note-text", { hasText: sentence }).waitFor();
    expect(await at.page.textContent("#workbook-name")).toBe("Sample workbook");
    await at.page.click("#note-close");
    expect(await at.page.isVisible("#note")).toBe(false);
  };

  it.each([
    ["notes.xlsx", Buffer.from("a,b"), "“notes.xlsx” is no Excel workbook (.xlsx), or it is damaged."],
    ["old.xls", OLD, "“old.xls” is a workbook of Excel 97 to 2003 (.xls)."],
    ["secret.xlsx", SECRET, "“secret.xlsx” is protected by a password."],
  ])("is named with the reason, and the open workbook stays: %s", async (name, buffer, sentence) => {
    await upload({ name, mimeType: "", buffer });
    await expectRefusal(sentence);
  });

  it("is named with the reason, and the open workbook stays: large.xlsx", async () => {
    const choosing = at.page.waitForEvent("filechooser");
    await chooseInMenu(at.page, "Open an Excel file…");
    await (await choosing).element().evaluate((element) => {
      const files = new DataTransfer(); // the file begins in the page: the test's way into it is slow
      files.items.add(new File([new Uint8Array(25 * 1024 * 1024 + 1)], "large.xlsx"));
      Object.assign(element, { files: files.files });
      element.dispatchEvent(new Event("change"));
    });
    await expectRefusal("“large.xlsx” is too large for this page");
  });
});

describe("the demo workbook, changed", () => {
  it("shows the currency from the provider and the unit, and follows its parameters", async () => {
    expect(await readRange(at.page, "Model!B3:C3")).toEqual([["JPY", null]]);
    await waitFor(at.page, "Model!C2", "Figures in JPY m");
    const [[inMillions] = []] = await readRange(at.page, "Model!C6");
    await type(at.page, ["Ranking!B3", "5"], ["Model!B2", "k"]);
    await waitFor(at.page, "Model!C2", "Figures in JPY k");
    await waitFor(at.page, "Ranking!A11", null);
    await waitFor(at.page, "Ranking!A10", 5); // before that the whole table waits
    expect(await readRange(at.page, "Ranking!A10:A11")).toEqual([[5], [null]]);
    await at.page.waitForFunction(
      (before) => Math.abs(Number(window.playground.get("Model!C6").value) / before - 1000) < 0.001,
      Number(inMillions),
    );
    await type(at.page, ["Ranking!B3", "25"], ["Model!B2", "m"]);
    await waitFor(at.page, "Model!C6", inMillions ?? null);
    await waitForDemo(at.page);
  });

  it("is restored completely from its saved form: formulas, values and styles", async () => {
    const before = await readRange(at.page, "Model!A1:H36");
    const saved = await at.page.evaluate(() => window.playground.save());
    expect(saved.documentSettings).toEqual({}); // nobody has decided anything in the pane
    await clearWorkbook(at.page);
    await openWorkbook(at.page, saved);
    await waitForDemo(at.page);
    expect(await readRange(at.page, "Model!A1:H36")).toEqual(before);
    expect(await at.page.evaluate(() => window.playground.save())).toEqual(saved);
  });

  it("opens from its file as a workbook of its own, with the same formulas and values", async () => {
    const before = await readAll();
    await upload({ ...file, name: "Model 2024.xlsx" });
    await waitForName(at.page, "Model 2024");
    await waitForDemo(at.page);
    expect(await readAll()).toEqual(before);
  });
});

it("what the pane stores in a workbook is in its file, and in no other workbook that the page opens", async () => {
  const made = () => pane(at.page).getByRole("listitem").filter({ hasText: "Ranking (2)" });
  const readStored = () => at.page.evaluate(() => window.playground.save().documentSettings);
  await openTab(pane(at.page), "Sheets");
  await pane(at.page).getByRole("button", { name: "Create sheet" }).click();
  await made().waitFor();
  const [withSheet, settings] = [await download(), await readStored()];
  expect(settings).toMatchObject({ feed: { sheets: [{ name: "Ranking (2)" }] } });

  await chooseInMenu(at.page, "New");
  const replace = at.page.getByRole("button", { name: "Replace it" });
  await replace.click();
  await waitForName(at.page, "Workbook");
  await openTab(pane(at.page), "Sheets");
  await pane(at.page).getByText("None yet.").waitFor();
  expect([await made().count(), await readStored()]).toEqual([0, {}]);

  await upload({ ...withSheet, name: "Made.xlsx" });
  await waitForName(at.page, "Made");
  await openTab(pane(at.page), "Sheets");
  await made().waitFor();
  expect(await made().innerText()).not.toContain("Deleted");
  expect(await readStored()).toMatchObject({ feed: { sheets: [{ name: "Ranking (2)" }] } });

  const parts = unzipSync(withSheet.buffer);
  const part = strFromU8(parts[EXTENSION] as Uint8Array);
  expect(part).toMatch(/<we:reference id="[\da-f-]{36}" version="\d+\./); // of the manifest
  const changed = { ...parts, [EXTENSION]: strToU8(part.replaceAll(' value="', ' value="?')) };
  await upload({ ...file, name: "Changed.xlsx", buffer: Buffer.from(zipSync(changed)) });
  await replace.click();
  await at.page.locator("#note-text", { hasText: "Some settings of FEED in “Changed.xlsx” were left out" }).waitFor();
  expect(await readStored()).toEqual({});
});

it("a date of the provider is shown as a date in a cell and in every cell of a spill, and each stays a number", async () => {
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
  for (const cell of ["A8", "B8", "C8"]) expect((await readSettled(at.page, cell)).text).toMatch(/^202\d-\d{2}-\d{2}$/);
});

const insertChart = async (cells: Record<string, string>) => {
  await at.page.evaluate((content) => {
    const { version } = window.playground.save();
    const sheet = { id: "s", name: "S", colNumber: 20, rowNumber: 40, cells: content };
    return window.playground.load({ version, sheets: [sheet] });
  }, cells);
  await at.page.click(".o-topbar-menu[data-id='insert']");
  await at.page.click(".o-menu-item[data-name='insert_chart']");
};

it("a chart that a person inserts is drawn, and of an unsupported kind says so and leaves the grid usable", async () => {
  await insertChart({ A1: "2023", A2: "2024", B1: "10", B2: "20" });
  await at.page.waitForSelector(".o-figure canvas");
  await insertChart({ A1: "one", A2: "one", A3: "two", B1: "10", B2: "20", B3: "30" });
  expect(await at.page.textContent(".o-figure .chart-not-drawn")).toContain("Choose another in its side panel.");
  expect(await at.page.isVisible(".o-grid")).toBe(true);
});

it("a chart's bar says its value, and an error that ends the grid leaves the workbook, to be shown again", async () => {
  await insertChart({ A1: "one", A2: "two", B1: "10", B2: "20" });
  const canvas = at.page.locator(".o-figure canvas");
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  const tooltip = at.page.locator(".o-chart-custom-tooltip");
  await until(async () => {
    await canvas.hover({ position: { x: width * 0.3, y: height * 0.8 } });
    await canvas.hover({ position: { x: width * 0.31, y: height * 0.8 } });
    return tooltip.isVisible();
  });
  expect(await tooltip.textContent()).toMatch(/[12]0/);
  await canvas.click();
  await type(at.page, ["B1", "30"]);
  expect(await at.page.isVisible(".o-grid")).toBe(true);

  await at.page.evaluate(() => {
    const { prototype } = Reflect.get(window, "Chart") as { prototype: { update: () => void } };
    const { update } = prototype;
    prototype.update = () => {
      prototype.update = update;
      throw new Error("The chart breaks.");
    };
  });
  await type(at.page, ["B1", "40"]);
  const again = at.page.getByRole("alert").getByRole("button", { name: "Show it again" });
  await again.waitFor();
  await type(at.page, ["B2", "50"]);
  await again.click();
  await canvas.waitFor();
  expect(await readRange(at.page, "B1:B2")).toEqual([[40], [50]]);
  await type(at.page, ["B2", "60"]);
  expect(await at.page.isVisible(".o-grid")).toBe(true);
});

describe("a ranking of all companies", () => {
  beforeEach(() => clearWorkbook(at.page));

  it("has 4,000 rows and a header, shows every hostile name as text and runs nothing", async () => {
    const dialogs: string[] = [];
    at.page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await type(at.page, ["A1", RANKING_ALL]);
    await waitFor(at.page, "A4001", 4000);
    const ranks = (await readRange(at.page, "A1:A4002")).flat();
    expect(ranks).toEqual(["Rank", ...Array.from({ length: 4000 }, (_, index) => index + 1), null]);
    const names = (await readRange(at.page, "B2:B4001")).map(([name], index) => ({
      name: String(name),
      row: index + 2,
    }));
    const hostile = names.filter(({ name }) => /^[=+@-]|[<>]/.test(name));
    expect(hostile.some(({ name }) => name.startsWith("=HYPERLINK("))).toBe(true);
    expect(hostile.some(({ name }) => name.includes("<img"))).toBe(true);
    const formulas = await at.page.evaluate(
      (rows) => rows.map(({ row }) => window.playground.formula(`B${row}`)),
      hostile.slice(0, 50),
    );
    expect(new Set(formulas)).toEqual(new Set([""]));
    expect(await at.page.locator("[onerror]").count()).toBe(0);
    expect(dialogs).toEqual([]);
  });

  it("requests no further page once its cell is deleted, and cancels the pending one", async () => {
    const { controls } = at.companion;
    controls.latencyMsOf = {
      get rankCompanies() {
        return controls.count("rankCompanies") > 1 ? LONG_MS : 0; // every page but the first
      },
    };
    const givenUp = at.page.waitForEvent("requestfailed", (request) => request.url().includes("page=2&"));
    await type(at.page, ["A1", RANKING_NOT_ASKED_YET]);
    await until(() => controls.count("rankCompanies") > 1);
    await type(at.page, ["A1", ""]);
    await at.page.waitForFunction(() => window.playground.live() === 0);
    await givenUp;
    const requestsBefore = controls.count("rankCompanies");
    expect(requestsBefore).toBeLessThanOrEqual(1 + 4); // four at a time
    controls.latencyMsOf = {};
    await type(at.page, ["A1", '=FEED.RANKING("2024-02-01","2024-02-29",1)']);
    await waitFor(at.page, "A2", 1);
    expect(controls.count("rankCompanies")).toBe(requestsBefore + 1);
  });
});

it("a formula's script that never loads is reported in the cell by the deadline with a remedy, and loaded again by the next formula", async () => {
  const context = await at.browser.newContext({ serviceWorkers: "block" }); // requests of a service worker bypass routes
  await context.route("**/lists.*.js", () => {});
  await context.clock.install();
  const { page } = await openPlayground(context, `${at.companion.origin}/playground.html`);
  await clearWorkbook(page);
  await type(page, ["A1", TABLE]);
  const script = page.frameLocator("iframe").locator('script[src*="lists."]'); // its request may join the prefetch's
  await script.waitFor({ state: "attached" });
  await page.clock.fastForward(30_000);
  const { value, error } = await readSettled(page, "A1");
  expect(`${value} ${error?.message}`).toMatch(/^#N\/A FEED_NETWORK_FAILED: .* check the network and that the comp/);
  await context.unrouteAll();
  await type(page, ["A10", TABLE.replace(",3)", ",2)")]);
  await waitFor(page, "A12", 2);
  await context.close();
});

/** Comes last, since nothing answers afterwards. */
it("a stopped companion leaves shown values, and is named by a new formula as unreachable, although the token is valid", async () => {
  const { page } = at;
  await clearWorkbook(page);
  await type(page, ["A1", FIGURE]);
  const before = (await readSettled(page, "A1")).value;
  expect(before).toEqual(expect.any(Number));
  await at.companion.close();
  await type(page, ["B1", FIGURE], ["C1", TABLE.replace("2023-05-31", "2023-05-30")]);
  const { value, error } = await readSettled(page, "C1");
  expect([(await read(page, "A1")).value, (await readSettled(page, "B1")).value]).toEqual([before, before]);
  expect(`${value} ${error?.message}`).toMatch(
    /^#N\/A FEED_SIGNER_UNREACHABLE: the companion does not answer; start it/,
  );
});
