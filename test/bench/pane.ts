import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { playOffice } from "../support/office-host";

const ROUNDS = 9;
const GOAL_MS = 1_500;
const PROGRAM = join(__dirname, "../../dist/companion/main.mjs");

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (times: number[]) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)] as number;

/** Milliseconds since the page was asked for. */
interface Opening {
  /** The last of Office.js's own scripts is there, before which no add-in can begin. */
  office: number;
  /** The pane's tabs are there, and the page has time for a person. */
  interactive: number;
  /** A token has come, so that formulas may ask. */
  connected: number;
}

/** The companion as people start it, on sample data; its address comes with the line that it prints. */
function startProgram(): Promise<{ program: ChildProcess; origin: string }> {
  const environment = { ...process.env, HOST: "127.0.0.1", PORT: "0" };
  const program = spawn(process.execPath, [PROGRAM, "start", "--companies", "500"], { env: environment });
  return new Promise((resolve, reject) => {
    program.once("exit", () => reject(new Error("The companion did not start. Build first: npm run build")));
    program.stdout.on("data", (said) => {
      const origin = /http:\/\/[\d.:]+/.exec(String(said))?.[0];
      if (origin !== undefined) resolve({ program, origin });
    });
  });
}

/** Opens the pane in desktop Excel as the tests play it, on the genuine Office.js. */
async function openPane(page: Page, origin: string): Promise<Opening> {
  await page.goto(`${origin}/taskpane.html`, { waitUntil: "commit" });
  await page.getByRole("tab").first().waitFor();
  // A task that is let in has found the page idle.
  const interactive = await page.evaluate(
    () => new Promise<number>((resolve) => setTimeout(() => requestAnimationFrame(() => resolve(performance.now())))),
  );
  await page
    .getByRole("status")
    .filter({ hasText: /^Connected$/ })
    .waitFor();
  const office = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/appsforoffice.microsoft.com/lib/") && name.endsWith(".js"))
      .reduce((last, entry) => Math.max(last, (entry as PerformanceResourceTiming).responseEnd), 0),
  );
  return { office, interactive, connected: await page.evaluate(() => performance.now()) };
}

async function measure(browser: Browser, origin: string): Promise<{ first: Opening; again: Opening }> {
  const { page } = await playOffice(browser, { origin });
  const first = await openPane(page, origin);
  const again = await openPane(page, origin);
  await page.context().close();
  return { first, again };
}

function report(name: string, openings: Opening[]): void {
  for (const mark of ["office", "interactive", "connected"] as const) {
    const times = openings.map((opening) => opening[mark]);
    const middle = median(times);
    const share = `${((middle / GOAL_MS) * 100).toFixed(0)} % of the goal`;
    const span = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;
    print(`${name.padEnd(16)} ${mark.padEnd(12)} ${middle.toFixed(0).padStart(5)} ms median (${span}), ${share}`);
  }
}

async function run(): Promise<void> {
  const [browser, { program, origin }] = await Promise.all([launchBrowser(), startProgram()]);
  const openings = [];
  for (let round = 0; round < ROUNDS; round++) openings.push(await measure(browser, origin));
  print(`the built pane, ${ROUNDS} times; goal: interactive within ${GOAL_MS} ms`);
  report(
    "first opening",
    openings.map(({ first }) => first),
  );
  report(
    "opened again",
    openings.map(({ again }) => again),
  );
  await browser.close();
  program.removeAllListeners("exit");
  program.kill();
}

void run();
