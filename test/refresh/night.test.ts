import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Report } from "../../src/refresh/report";
import { createMachine, removeMachines } from "../companion/installation/machine";
import { MAIN, openHome } from "../companion/programs";
import { type RunningProvider, startSandbox } from "../support/provider";
import { toFile, toParts, toSheet } from "../xlsx/files";
import { toEnvironment } from "./command-surroundings";

const home = openHome();
let provider: RunningProvider;

beforeAll(async () => {
  provider = await startSandbox({ companies: 10 });
});
afterAll(async () => {
  await provider.close();
  removeMachines();
});

/** A workbook with the values of an older ranking, and a cell that depends on it. */
const BOOK = toFile(
  toParts(
    toSheet(
      '<row r="1"><c r="A1"><f>_xldudf_FEED_RANKING("2024-01",,1,"totalPageViews",,FALSE)</f><v>1</v></c>' +
        '<c r="B1"><f>A1*2</f><v>2</v></c></row>',
    ),
  ),
);

/** Has a stand-in of systemd schedule the refresh of a folder, and gives the words that its timer starts. */
async function schedule(folder: string): Promise<string[]> {
  const machine = createMachine("linux");
  await machine.run(["service", "--refresh", folder, "--at", "MON 07:00"], { script: MAIN });
  const units = join(machine.home, ".config/systemd/user");
  const unit = readdirSync(units).find((name) => name.endsWith(".service")) ?? "";
  const [, line = ""] = /^ExecStart=(.+)$/m.exec(readFileSync(join(units, unit), "utf8")) ?? [];
  const [node, script, ...words] = [...line.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
  expect([node, script]).toEqual([process.execPath, MAIN]);
  return words;
}

it("a scheduled folder is refreshed twice, and the second report says that nothing moved", async () => {
  const folder = join(home.folder, "books");
  const book = join(folder, "ranking.xlsx");
  mkdirSync(folder);
  writeFileSync(book, BOOK);
  writeFileSync(join(folder, "damaged.xlsx"), "no workbook");
  const words = await schedule(folder);
  const runTimer = async () => {
    const { code, output } = await home.run(words, toEnvironment(provider));
    const report: Report = JSON.parse(readFileSync(join(folder, "feed-reports/ranking.xlsx.json"), "utf8"));
    return { code, output, report };
  };
  const first = await runTimer();
  expect(first.output).toMatch(/^ranking\.xlsx: 1 formula refreshed, 1 value changed, \d/m);
  expect(first.output).toMatch(/^damaged\.xlsx: .*is damaged/m);
  expect(first.code).toBe(1);
  expect(first.report).toMatchObject({ written: book, changes: [{ cell: "A1", before: 1 }], source: { mode: "key" } });
  const [bytes, { mtimeMs }] = [readFileSync(book), statSync(book)];

  rmSync(join(folder, "damaged.xlsx"));
  const second = await runTimer();
  expect(second.code).toBe(0);
  expect(second.report).toMatchObject({ written: null, changes: [], moves: [], counts: { refreshed: 1, changed: 0 } });
  expect([first.report.requests, second.report.requests]).toEqual([1, 0]);
  expect(readFileSync(book).equals(bytes)).toBe(true);
  expect(statSync(book).mtimeMs).toBe(mtimeMs);
  const log = readFileSync(join(folder, "feed-reports/log.txt"), "utf8");
  expect(log.match(/ranking\.xlsx: .* [01] values? changed/g)).toHaveLength(2);
}, 120_000); // of several processes each
