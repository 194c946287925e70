import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { unzipSync } from "fflate";
import type { Browser } from "playwright-core";
import { pack } from "../../../src/build/package/pack.mjs";
import { startPackaged } from "../../build/packaged-companion";
import { type Row, toFinding, toMost } from "../row";

const ROOT = join(__dirname, "../../..");
const GOAL_MS = 15_000;
/** A formula's figure in the sample workbook. */
const FIGURE = "Model!C6";

/** Runs the unpacked zip on the Node that runs the benchmark, with an empty home and no network. */
export const PACKAGE: Row = {
  name: "package",
  title: `The unpacked zip on Node ${process.versions.node}: from feed start to the first number`,
  async measure({ browser, rounds }) {
    const target = mkdtempSync(join(tmpdir(), "feed-bench-package-"));
    const zip = pack(ROOT, target).find((path) => path.endsWith(".zip")) as string;
    const started: Started[] = [];
    for (let round = 0; round < rounds; round++) started.push(await start(browser, zip, join(target, String(round))));
    rmSync(target, { recursive: true });
    const [serves, shows] = [started.map(({ servesMs }) => servesMs), started.map(({ numberMs }) => numberMs)];
    return [
      toFinding("feed start until it serves", "ms", serves),
      toFinding("feed start until Chromium shows the first number", "ms", shows, toMost(GOAL_MS, "ms", shows)),
    ];
  },
};

/** Milliseconds since the command. */
interface Started {
  servesMs: number;
  numberMs: number;
}

async function start(browser: Browser, zip: string, place: string): Promise<Started> {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), bytes);
  }
  const startMs = performance.now();
  const companion = await startPackaged(join(place, basename(zip, ".zip"), "feed.mjs"), join(place, "home"));
  const servesMs = performance.now() - startMs;
  const page = await browser.newPage();
  await page.goto(`${companion.origin}/playground.html?lang=en`);
  await page.evaluate(() => window.playground.ready);
  await page.waitForFunction((cell) => typeof window.playground.get(cell).value === "number", FIGURE);
  const numberMs = performance.now() - startMs;
  await page.close();
  await companion.close();
  return { servesMs, numberMs };
}
