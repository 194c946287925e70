import { beforeAll, describe, expect, it } from "@jest/globals";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { openPlayground, readDownload, readRange, type, waitFor, waitForDemo } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ isDemo: true, isKept: true });

/** The demo as a file. */
let file: { name: string; mimeType: string; buffer: Buffer };

beforeAll(async () => {
  const downloading = at.page.waitForEvent("download");
  await menu(at.page, "Download as Excel");
  const download = await downloading;
  file = { name: download.suggestedFilename(), mimeType: "", buffer: await readDownload(download) };
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
const readAll = async (on: Page) => ({
  values: await Promise.all(["Model!A1:H36", "Ranking!A1:I30"].map((range) => readRange(on, range))),
  formulas: await on.evaluate(() =>
    ["A1", "B3", "C6", "C14", "H6", "C22", "G36"].map((cell) => window.playground.formula(`Model!${cell}`)),
  ),
});

describe("the sample workbook as an Excel file", () => {
  it("has its name, live formulas and last values", async () => {
    expect(file.name).toBe("Sample workbook.xlsx");
    const sheets = Object.entries(unzipSync(file.buffer)).filter(([path]) => path.startsWith("xl/worksheets/sheet"));
    const texts = sheets.map(([, content]) => strFromU8(content));
    expect(texts.join("").match(/<f[^>]*>FEED\./g)).toBeNull();
    expect(texts[1]).toMatch(/<f t="array" ref="A5:I30">_xldudf_FEED_RANKING\(B1,B2,B3\)<\/f><v>Rank<\/v>/);
    const [total] = await readRange(at.page, "Model!G11");
    expect(texts[0]).toContain(`<v>${total?.[0]}</v>`);
  });

  it("opens in another browser as a workbook of its own, with the same formulas and values", async () => {
    const other = await at.open();
    await upload(other, { ...file, name: "Model 2024.xlsx" });
    await other.locator("#workbook-name", { hasText: "Model 2024" }).waitFor();
    await waitForDemo(other);
    expect(await readAll(other)).toEqual(await readAll(at.page));
    await other.locator("#save-state", { hasText: /^Saved in this browser/ }).waitFor();
    await other.reload();
    await waitForDemo(other);
    expect(await other.textContent("#workbook-name")).toBe("Model 2024");
  });
});

describe("a workbook of this browser", () => {
  it("is made, renamed, duplicated and deleted by the menu, and told where another window changes it", async () => {
    const context = await at.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const { page, errors } = await openPlayground(context, `${at.companion.origin}/playground.html?lang=en`);
    const waitForName = (name: string) =>
      page.waitForFunction((wanted) => document.getElementById("workbook-name")?.textContent === wanted, name);
    const enter = async (text: string) => {
      await type(page, ["A1", text]);
      await page.locator("#save-state", { hasText: /^Saved in this browser/ }).waitFor();
    };
    await menu(page, "New");
    await waitForName("Workbook");
    await enter("mine");
    await menu(page, "Rename…");
    await page.getByRole("dialog").getByRole("textbox").fill("Budget 100%");
    await page.keyboard.press("Enter");
    await waitForName("Budget 100%");
    await menu(page, "Duplicate");
    await waitForName("Budget 100% (2)");
    await menu(page, "Delete…");
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.locator("#workbook-name", { hasNotText: "Budget" }).waitFor(); // a new one
    await menu(page, "Open…");
    await page.getByRole("dialog").waitFor();
    expect(await page.locator(".dialog-list span").allInnerTexts()).toEqual(["Budget 100%"]);
    await page.click('.dialog-list button:has-text("Budget 100%")');
    await waitForName("Budget 100%");
    await waitFor(page, "A1", "mine");

    const { page: other } = await openPlayground(context, page.url());
    await waitFor(other, "A1", "mine");
    await enter("of the first");
    await type(other, ["A1", "of the second"]);
    await other.getByText("Another window has changed “Budget 100%” too.").waitFor();
    expect(await other.textContent("#workbook-name")).toBe("Budget 100% (2)");
    expect(await readRange(page, "A1:A1")).toEqual([["of the first"]]);
    expect(errors).toEqual([]);
    await context.close();
  });
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
    await upload(at.page, { name, mimeType: "", buffer });
    await expectRefusal(sentence);
  });

  it("is named with the reason, and the open workbook stays: large.xlsx", async () => {
    const choosing = at.page.waitForEvent("filechooser");
    await menu(at.page, "Open an Excel file…");
    await (await choosing).element().evaluate((element) => {
      const files = new DataTransfer(); // the file begins in the page: the test's way into it is slow
      files.items.add(new File([new Uint8Array(25 * 1024 * 1024 + 1)], "large.xlsx"));
      Object.assign(element, { files: files.files });
      element.dispatchEvent(new Event("change"));
    });
    await expectRefusal("“large.xlsx” is too large for this page");
  });
});
