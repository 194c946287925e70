import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { strFromU8, unzipSync } from "fflate";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openDemo, openPlayground, readRange, waitForDemo } from "./playground-page";

const RANGES = ["Model!A1:H36", "Ranking!A1:I30"];

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let errors: string[];
/** The demo as a file. */
let file: { name: string; mimeType: string; buffer: Buffer };

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  ({ page, errors } = await openDemo(browser, companion.origin, { query: "?lang=en" }));
  const downloading = page.waitForEvent("download");
  await menu(page, "Download as Excel");
  const download = await downloading;
  const buffer = readFileSync(await download.path());
  file = { name: download.suggestedFilename(), mimeType: "", buffer };
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const menu = async (on: Page, name: string) => {
  await on.click("#workbooks summary");
  await on.click(`#workbooks-list >> text=${name}`);
};
const upload = async (on: Page, files: typeof file) => {
  const choosing = on.waitForEvent("filechooser");
  await menu(on, "Open an Excel file…");
  await (await choosing).setFiles(files);
};
const readFormulas = (on: Page) =>
  on.evaluate(() =>
    ["A1", "B3", "C6", "C14", "H6", "C22", "G36"].map((cell) => window.playground.formula(`Model!${cell}`)),
  );

describe("the sample workbook as an Excel file", () => {
  it("has its name, live formulas and last values", async () => {
    expect(file.name).toBe("Sample workbook.xlsx");
    const sheets = Object.entries(unzipSync(file.buffer)).filter(([path]) => path.startsWith("xl/worksheets/sheet"));
    const texts = sheets.map(([, content]) => strFromU8(content));
    expect(texts.join("").match(/<f[^>]*>FEED\./g)).toBeNull();
    expect(texts[1]).toMatch(/<f t="array" ref="A5:I30">_xldudf_FEED_RANKING\(B1,B2,B3\)<\/f><v>Rank<\/v>/);
    const [total] = await readRange(page, "Model!G11");
    expect(texts[0]).toContain(`<v>${total?.[0]}</v>`);
    await saveScreenshot(page, "playground-download");
    expect(errors).toEqual([]);
  });

  it("opens in another browser as a workbook of its own, with the same formulas and values", async () => {
    const other = await openPlayground(browser, `${companion.origin}/playground.html?lang=en`);
    await upload(other.page, { ...file, name: "Model 2024.xlsx" });
    await other.page.locator("#workbook-name", { hasText: "Model 2024" }).waitFor();
    await waitForDemo(other.page);
    for (const range of RANGES) expect(await readRange(other.page, range)).toEqual(await readRange(page, range));
    expect(await readFormulas(other.page)).toEqual(await readFormulas(page));
    await other.page.locator("#save-state", { hasText: /^Saved in this browser/ }).waitFor();
    await other.page.reload();
    await waitForDemo(other.page);
    expect(await other.page.textContent("#workbook-name")).toBe("Model 2024");
    await saveScreenshot(other.page, "playground-upload");
    expect(other.errors).toEqual([]);
  });
});

describe("a file that is not opened", () => {
  it.each([
    ["notes.xlsx", Buffer.from("a,b"), "“notes.xlsx” is no Excel workbook (.xlsx), or it is damaged."],
    [
      "old.xls",
      Buffer.from("d0cf11e0a1b11ae1000000000000", "hex"),
      "“old.xls” is a workbook of Excel 97 to 2003 (.xls).",
    ],
    [
      "secret.xlsx",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      "“secret.xlsx” is protected by a password.",
    ],
    ["large.xlsx", Buffer.alloc(25 * 1024 * 1024 + 1), "“large.xlsx” is too large for this page"],
  ])("is named with the reason, and the open workbook stays: %s", async (name, buffer, sentence) => {
    await upload(page, { name, mimeType: "", buffer });
    await page.locator("#note-text", { hasText: sentence }).waitFor();
    expect(await page.textContent("#workbook-name")).toBe("Sample workbook");
    await page.click("#note-close");
    expect(await page.isVisible("#note")).toBe(false);
    expect(errors).toEqual([]);
  });
});
