import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type BookResult, createBookProcess, listBooks, refreshFolder } from "../../src/refresh/folder";

const NOW = new Date("2026-11-30 07:00:12").getTime();
const FRESH: BookResult = { status: 0, sentence: "14 cells are fresh." };

let folder: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-folder-"));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (...names: string[]) => names.forEach((name) => void writeFileSync(join(folder, name), ""));
const inReports = (name: string) => join(folder, "feed-reports", name);
const run = (refreshBook: (book: string, report: string) => Promise<BookResult>) =>
  refreshFolder(
    folder,
    refreshBook,
    (line) => lines.push(line),
    () => NOW,
  );

describe("the workbooks of a folder", () => {
  it("are those in it that Excel would open, without what an open one leaves beside it", () => {
    write("b.xlsx", "A.XLSM", "~$b.xlsx", ".c.xlsx", "old.xls", "note.txt");
    mkdirSync(join(folder, "folder.xlsx"));
    symlinkSync(join(folder, "gone.xlsx"), join(folder, "link.xlsx"));
    expect(listBooks(folder)).toEqual(["A.XLSM", "b.xlsx", "link.xlsx"]);
  });

  it("are refreshed one after the other, each with a report", async () => {
    write("b.xlsx", "a.xlsx");
    const calls: string[][] = [];
    const status = await run(async (...call) => {
      calls.push(call);
      return FRESH;
    });
    expect(status).toBe(0);
    expect(calls).toEqual([
      [join(folder, "a.xlsx"), inReports("a.xlsx.json")],
      [join(folder, "b.xlsx"), inReports("b.xlsx.json")],
    ]);
    expect(lines).toEqual([
      "a.xlsx: 14 cells are fresh.",
      "b.xlsx: 14 cells are fresh.",
      `2 of 2 workbooks are fresh. Reports: ${join(folder, "feed-reports")}`,
    ]);
    expect(readdirSync(inReports(""))).toEqual(["log.txt"]);
  });

  it.each([
    ["one fails", [2, 0], 1],
    ["cells of one failed", [1, 0], 1],
    ["none was written", [2, 2], 2],
  ] as const)("end with the status of all where %s", async (_, statuses, status) => {
    write("a.xlsx", "b.xlsx");
    const left = [...statuses];
    expect(await run(async () => ({ status: left.shift()!, sentence: "said" }))).toBe(status);
  });

  it("are refreshed though one of them is open in Excel, and its old report is gone", async () => {
    write("a.xlsx", "b.xlsx");
    mkdirSync(inReports(""));
    writeFileSync(inReports("a.xlsx.json"), "{}");
    const status = await run(async (book) => {
      if (book.endsWith("a.xlsx")) throw new Error("a.xlsx is open in Excel.");
      return FRESH;
    });
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/^1 of 2 workbooks are fresh\./);
    expect(readFileSync(inReports("log.txt"), "utf8")).toBe(
      "2026-11-30 07:00 2 a.xlsx: a.xlsx is open in Excel.\n2026-11-30 07:00 0 b.xlsx: 14 cells are fresh.\n",
    );
    expect(existsSync(inReports("a.xlsx.json"))).toBe(false);
  });

  it("leave a log of all runs, a line each", async () => {
    write("a.xlsx");
    for (const sentence of ["first", "one\ntwo"]) await run(async () => ({ status: 0, sentence }));
    const log = readFileSync(inReports("log.txt"), "utf8");
    expect(log).toBe("2026-11-30 07:00 0 a.xlsx: first\n2026-11-30 07:00 0 a.xlsx: one two\n");
  });

  it("are refreshed where the log cannot be written", async () => {
    write("a.xlsx");
    mkdirSync(inReports("log.txt"), { recursive: true });
    expect(await run(async () => FRESH)).toBe(0);
    expect(lines[1]).toMatch(/log\.txt cannot be written: the system says EISDIR\.$/);
  });
});

describe("a workbook's own process", () => {
  /** Runs a stand-in of this program. */
  const runScript = (text: string, options = {}) => {
    const script = join(folder, "feed.mjs");
    writeFileSync(script, `import { writeFileSync } from "node:fs";\nconst words = process.argv.slice(2);\n${text}`);
    const surroundings = { environment: { ...process.env, FEED_MARK: "marked" }, webFolder: "", print: () => {} };
    return createBookProcess({ ...surroundings, script }, options)(join(folder, "a.xlsx"), join(folder, "a.json"));
  };
  const REPORT = { counts: { formulas: 15, refreshed: 14, failed: 1, changed: 2 }, requests: 1 };
  const writing = (counts: object, code: number) =>
    `writeFileSync(words[3], '${JSON.stringify({ ...REPORT, counts })}'); process.exitCode = ${code};`;

  it("refreshes it by this program with the options that were given, and counts by its report", async () => {
    expect(
      await runScript('console.log([...words, process.env.FEED_MARK].join(" "))', {
        sheets: ["A", "B"],
        maxRequests: 3,
        adoptSheets: true,
        code: undefined,
      }),
    ).toEqual({
      status: 0, // as of a workbook without formulas, which has no report
      sentence: `refresh ${folder}/a.xlsx --report ${folder}/a.json --sheets A,B --max-requests 3 --adopt-sheets marked`,
    });
    expect(await runScript(writing(REPORT.counts, 1))).toEqual({
      status: 1,
      sentence: "14 of 15 formulas refreshed, 2 values changed, 1 request.",
    });
  });

  it.each([
    ["says why it wrote nothing", 'console.error("Error: a.xlsx is open."); process.exitCode = 2;', "a.xlsx is open."],
    ["has wrong settings", 'console.error("Error: no key"); process.exitCode = 3;', "no key"],
    ["is killed", 'process.kill(process.pid, "SIGKILL");', "Its refresh ended without a word."],
  ])("counts as nothing written where it %s", async (_, script, sentence) => {
    expect(await runScript(script)).toEqual({ status: 2, sentence });
  });

  it("counts as nothing written where it is killed after its report", async () => {
    const script = `${writing(REPORT.counts, 0)} process.kill(process.pid, "SIGKILL");`;
    expect(await runScript(script)).toMatchObject({ status: 2 });
  });
});

describe("a folder that cannot be refreshed", () => {
  const refuse = () => expect(run(async () => FRESH)).rejects;

  it("is one without workbooks, and nothing is put into it", async () => {
    await refuse().toThrow(`${folder} holds no .xlsx or .xlsm workbook.`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is one that takes no reports", async () => {
    write("a.xlsx", "feed-reports");
    await refuse().toThrow(/feed-reports cannot be written: the system says EEXIST\.$/);
  });
});
