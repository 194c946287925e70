import type { Browser, Page } from "playwright-core";
import { waitUntilKept } from "../e2e/kept-answers";
import { createLargeWorkbook, forgetRequests, type LargeWorkbook, listRequests } from "../e2e/large-workbook";
import { clearWorkbook, openPlayground } from "../e2e/playground-page";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";

const ROUNDS = 5;
const GOAL_MS = 2_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** From when the grid has the formulas, in milliseconds. */
interface Filling {
  /** Until every cell shows its value. */
  filled: number;
  /** The longest that the page was busy in one go meanwhile. */
  longest: number;
  /** All of it that was busy for more than 50 ms in one go. */
  busy: number;
}

declare global {
  interface Window {
    longTasks: PerformanceEntry[];
  }
}

/** Notes how long the page is busy in one go, from its beginning on. */
const NOTING_TASKS = `
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries()))
  .observe({ entryTypes: ["longtask"] });`;

/** Has `fill` bring formulas into the grid, and measures from then on. */
const measure = (page: Page, figures: string, fill: string, given: unknown): Promise<Filling> =>
  page.evaluate(
    async ([range, how, content]) => {
      const { playground } = window;
      await (how === "load" ? playground.load(content as object) : playground.setMany(content as [string, string][]));
      const beganMs = performance.now();
      const isBusy = () => playground.range(range).some((row) => row.some((value) => value === "#BUSY!"));
      do await new Promise((resolve) => setTimeout(resolve, 20));
      while (isBusy());
      const filled = performance.now() - beganMs;
      await new Promise((resolve) => setTimeout(resolve, 1_000)); // observers hear of a task after it
      const tasks = window.longTasks.filter(({ startTime }) => startTime >= beganMs).map(({ duration }) => duration);
      const busy = tasks.reduce((sum, duration) => sum + duration, 0);
      return { filled, longest: Math.max(0, ...tasks), busy };
    },
    [figures, fill, given] as const,
  );

async function run(browser: Browser, companion: RunningCompanion, large: LargeWorkbook) {
  const { entries, figures, companyIds } = large;
  const address = `${companion.origin}/playground.html?lang=en`;
  const { page } = await openPlayground(browser, address, "light", NOTING_TASKS);
  await forgetRequests(page, companion);
  await clearWorkbook(page);
  const first = await measure(page, figures, "enter", entries);
  const asked = listRequests(companion).length;
  const saved = await page.evaluate(() => window.playground.save());
  await waitUntilKept(page, companyIds);
  await page.reload();
  await page.evaluate(() => window.playground.ready);
  await forgetRequests(page, companion);
  const again = await measure(page, figures, "load", saved);
  const askedAgain = listRequests(companion).length;
  await page.context().close();
  return { first, asked, again, askedAgain };
}

function report(name: string, fillings: Filling[], asked: number[]): void {
  const [filled, longest, busy] = (["filled", "longest", "busy"] as const).map((mark) =>
    median(fillings.map((filling) => filling[mark])).toFixed(0),
  );
  print(
    `${name}: all values after ${filled} ms, busy ${busy} ms, at most ${longest} ms in one go; ${asked.join(", ")} requests`,
  );
}

async function start(): Promise<void> {
  const [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  const large = await createLargeWorkbook(companion);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await run(browser, companion, large));
  print(
    `14,000 figures of 100 companies in the playground, ${ROUNDS} times (medians); goal: opened again within ${GOAL_MS} ms`,
  );
  report(
    "first time",
    rounds.map(({ first }) => first),
    rounds.map(({ asked }) => asked),
  );
  report(
    "opened again",
    rounds.map(({ again }) => again),
    rounds.map(({ askedAgain }) => askedAgain),
  );
  await browser.close();
  await companion.close();
}

void start();
