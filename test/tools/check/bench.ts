import type { Page } from "playwright-core";
import { openFeed } from "../../bench/excel";
import { createWorkbook, toAddress } from "../../bench/excel/figures";
import { readSheet, type Sheet } from "../../bench/excel/sheet";
import { traceLongestTask } from "../../bench/excel/tasks";
import { type Row, toFinding, toMost } from "../../bench/row";
import { startSite } from "../../bench/site";
import type { ExcelWorkbook } from "../../office/workbook";
import { openTab } from "../../support/pane-page";

const FIGURES = 14_000;
const ROWS = 1_000;
const [LONGEST_MS, LONGEST_TASK_MS] = [3_000, 50];
const MOST_ROUNDS = 3;
const TIMEOUT_MS = 120_000;

export const ROW: Row = {
  name: "check",
  title: "The model checked: 14,000 figures and 30,000 ordinary formulas, on the genuine Office.js",
  async measure({ browser, rounds, print }) {
    const site = await startSite();
    const sheet = await readSheet(site.origin);
    const all = { took: [] as number[], task: [] as number[], host: [] as number[], requests: [] as number[] };
    for (let round = 0; round < Math.min(MOST_ROUNDS, rounds); round++) {
      const workbook = createModel(sheet);
      const { page, call, close } = await openFeed(browser, site.origin, workbook);
      page.setDefaultTimeout(TIMEOUT_MS);
      await call(sheet.calls.map(([name, given], at) => [name, given, `Sheet1!${toAddress(at)}`]));
      await openTab(page, "Changes");
      await page.getByText(`All ${FIGURES.toLocaleString("en")} formulas`).waitFor();
      await site.order({ forget: true });
      const hostBefore = workbook.requests;
      all.took.push(await check(page, "Check"));
      all.host.push(workbook.requests - hostBefore);
      all.requests.push(await site.order({}));
      const longest = await traceLongestTask(page, site.origin, async () => void (await check(page, "Check again")));
      all.task.push(longest.ownMs);
      print(`longest task: ${Math.round(longest.ownMs)} ms, ${longest.functions.join(", ")}`);
      await close();
    }
    site.close();
    return [
      toFinding("until the findings show", "ms", all.took, toMost(LONGEST_MS, "ms", all.took)),
      toFinding("longest task of our own", "ms", all.task, toMost(LONGEST_TASK_MS, "ms", all.task)),
      toFinding("requests to Excel", "requests", all.host),
      toFinding("requests to the provider", "requests", all.requests, toMost(0, "requests", all.requests)),
    ];
  },
};

const check = (page: Page, name: string): Promise<number> =>
  page.getByRole("button", { name, exact: true }).evaluate(async (button) => {
    const beganMs = performance.now();
    const done = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        const isShown = / FEED figures( checked by \d+ rules)?\.$/m.test(document.body.innerText);
        if (!isShown || performance.now() - beganMs < 100) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    (button as HTMLElement).click();
    await done;
    return performance.now() - beganMs;
  });

/** Ratios, growth rates, and totals over the figures of another sheet. */
function createModel(sheet: Sheet): ExcelWorkbook {
  const workbook = createWorkbook(sheet, FIGURES);
  workbook.addSheet("Model");
  for (let at = 0; at < FIGURES; at++) {
    const address = toAddress(at);
    const [letter, row] = [address.slice(0, 1), Number(address.slice(1))];
    workbook.enterFormula(`Model!${address}`, `=Sheet1!${address}/Sheet1!$C${row}`, 1);
    workbook.enterFormula(`Model!A${letter}${row}`, `=Sheet1!${address}/Sheet1!${letter}${Math.max(2, row - 1)}-1`, 1);
  }
  for (let row = 2; row < ROWS + 2; row++) {
    workbook.enterFormula(`Model!BA${row}`, `=SUM(Sheet1!C${row}:P${row})`, 1);
    workbook.enterFormula(`Model!BB${row}`, `=BA${row}+N(BB${row - 1})`, 1);
  }
  return workbook;
}
