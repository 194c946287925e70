import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { itOnPosix } from "../support/posix";
import * as workbooks from "./workbooks";
import { openBooks, readParts, readValues, toFormulaCell, toRow, toSettingsParts, toText } from "./workbooks";

const books = openBooks();
let figures: workbooks.Figure[];
beforeAll(async () => {
  figures = await workbooks.readFigures(2);
});

const toFigure = (address: string, { id }: Pick<workbooks.Figure, "id">, value: string | number) =>
  toFormulaCell(address, `_xldudf_FEED_FINANCIAL("${id}",2023,"Revenue")`, value);

/** A model: two companies with their revenue, a sum, and a row that has nothing to do with them. */
const toModel = (first: string | number = 1, second: string | number = 2) =>
  toRow(1, toText("A1", "Alpha"), toText("B1", figures[0]!.id), toFigure("C1", figures[0]!, first)) +
  toRow(2, toText("A2", "Beta"), toText("B2", figures[1]!.id), toFigure("C2", figures[1]!, second)) +
  toRow(3, toText("A3", "Sum"), toFormulaCell("C3", "SUM(C1:C2)", Number(first) + Number(second) || 0)) +
  toRow(4, toFormulaCell("C4", "1/3", 0.3333));

let path: string;
beforeEach(() => {
  path = books.write(toModel());
});

describe("a refreshed workbook", () => {
  it("has the provider's figures, what depends on them, and everything else as it was", async () => {
    const before = readParts(path);
    const { code, report, lines } = await books.refresh(path);
    const [one, two] = figures.map(({ revenue }) => revenue) as [number, number];
    expect(code).toBe(0);
    expect(readValues(path)).toMatchObject({ C1: one, C2: two, C3: one + two, C4: 0.3333 });
    const after = readParts(path);
    const changed = Object.keys(before).filter((part) => after[part] !== before[part]);
    expect([Object.keys(after), changed]).toEqual([Object.keys(before), ["xl/worksheets/sheet1.xml"]]);
    expect(report).toMatchObject({
      version: 1,
      ...{ book: path, written: path, requests: 1, notes: [] },
      source: { client: "test-client", provider: books.sandbox.baseUrl, mode: "key" },
      counts: { formulas: 2, refreshed: 2, failed: 0, missing: 0, changed: 2, stale: 0, dependants: 1, leftToExcel: 0 },
      changes: [
        { sheet: "Sheet1", cell: "C1", what: "Alpha", year: "2023", metric: "Revenue", before: 1, after: one },
        { sheet: "Sheet1", cell: "C2", what: "Beta", year: "2023", metric: "Revenue", before: 2, after: two },
      ],
      cells: { Sheet1: ["C1:C3"] },
    });
    expect(report.asOf.oldest).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(lines.join("\n")).toContain(`as client test-client, with the key of the settings`);
    expect(lines.join("\n")).toContain(`Sheet1!C1  Alpha · 2023 · Revenue: 1 → ${one.toLocaleString("en")}`);
  });

  it("keeps its file where nothing has moved, and says so", async () => {
    await books.refresh(path);
    const [bytes, { mtimeMs, ino }] = [readFileSync(path), statSync(path)];
    const { code, report } = await books.refresh(path, "--fail-on", "changed,missing,stale");
    expect([code, report.written, report.counts.changed]).toEqual([0, null, 0]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(statSync(path)).toMatchObject({ mtimeMs, ino });
  });

  it("may be another file, while the workbook stays as it is", async () => {
    const [bytes, out] = [readFileSync(path), join(books.folder, "Out.xlsx")];
    const { code, report } = await books.refresh(path, "--out", out);
    expect([code, report.written, readFileSync(path).equals(bytes)]).toEqual([0, out, true]);
    expect(readValues(out)).toMatchObject({ C1: figures[0]!.revenue });
    await books.refresh(out, "--out", join(books.folder, "Same.xlsx"));
    expect(readFileSync(join(books.folder, "Same.xlsx")).equals(readFileSync(out))).toBe(true);
  });

  it("tells of a table's rows that entered, left, rose and fell", async () => {
    const formula = '_xldudf_FEED_RANKING("2024-01",,4,"rank,companyName")';
    const cell = (at: string, value: string) => toFormulaCell(at, "", value).replace("<f></f>", "");
    const anchor = (value: string) =>
      `<c r="A1" t="str" cm="1"><f t="array" ref="A1:B5">${formula.replaceAll('"', "&quot;")}</f><v>${value}</v></c>`;
    const ranking = books.write(toRow(1, anchor("")), { name: "Ranking.xlsx" });
    await books.refresh(ranking);
    const ranked = readValues(ranking);
    const names = [2, 3, 4, 5].map((row) => String(ranked[`B${row}`]));
    const [first, second, third] = names as [string, string, string];
    const old = [second, first, third, "Gone Ltd."];
    const rows = old.map((name, at) =>
      toRow(at + 2, `<c r="A${at + 2}"><v>${at + 1}</v></c>`, cell(`B${at + 2}`, name)),
    );
    books.write(toRow(1, anchor("Rank"), cell("B1", "Company")) + rows.join(""), { name: "Ranking.xlsx" });
    const { report, lines } = await books.refresh(ranking);
    expect(report.moves).toEqual([
      {
        ...{ sheet: "Sheet1", cell: "A1", entered: [names[3]], left: ["Gone Ltd."] },
        rose: [{ name: first, from: 2, to: 1 }],
        fell: [{ name: second, from: 1, to: 2 }],
      },
    ]);
    expect(report.changes).toEqual([]);
    expect(lines.join("\n")).toContain(`rose (1): ${first} 2 → 1`);
  });
});

describe("a formula that fails", () => {
  it("keeps its old value, is named with its reason, and ends with 1 where others are fresh", async () => {
    const rows = toModel() + toRow(5, toFormulaCell("C5", '_xldudf_FEED_RANKING("2024-01",,1,"rank",,FALSE)', 7));
    path = books.write(rows);
    books.sandbox.controls.answers = { rankCompanies: { status: 500, times: Number.POSITIVE_INFINITY } };
    const { code, sentence, report } = await books.refresh(path);
    expect([code, readValues(path).C5]).toEqual([1, 7]);
    expect(readValues(path).C1).toBe(figures[0]!.revenue);
    expect(sentence).toMatch(/^1 of 3 formulas could not be refreshed\. /);
    expect(report.failed).toMatchObject([{ sheet: "Sheet1", cell: "C5", code: "FEED_SERVER_FAILED" }]);
  }, 60_000);

  it("ends with 2 where no formula is fresh, and nothing is written", async () => {
    const bytes = readFileSync(path);
    await books.sandbox.close();
    for (const words of [[], ["--out", join(books.folder, "Copy.xlsx")]]) {
      const { code, report } = await books.refresh(path, ...words);
      expect([code, report.written, report.counts]).toMatchObject([2, null, { refreshed: 0, failed: 2 }]);
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(books.list()).toEqual(["Model.xlsx", "report.json"]);
  }, 60_000);

  it("keeps its old value behind IFERROR where the provider refuses the request", async () => {
    path = books.write(toRow(1, toFormulaCell("A1", `IFERROR(FEED.RANKING("2024-01",,1,"rank",,FALSE),0)`, 7)));
    books.sandbox.controls.answers = { rankCompanies: { status: 400, times: Number.POSITIVE_INFINITY } };
    const { code, report } = await books.refresh(path);
    expect([code, report.failed]).toMatchObject([2, [{ cell: "A1", code: "FEED_REQUEST_INVALID" }]]);
    expect(readValues(path).A1).toBe(7);
  });

  it("is no failure where the answer is that there is no value, unless that is wanted", async () => {
    path = books.write(toRow(1, toFormulaCell("A1", `_xldudf_FEED_FINANCIAL("${figures[0]!.id}",1950,"Revenue")`, 5)));
    const { code, report } = await books.refresh(path);
    expect([code, readValues(path).A1, report.counts]).toMatchObject([0, { error: "#N/A" }, { failed: 0, missing: 1 }]);
    const again = await books.refresh(path, "--fail-on", "missing");
    expect([again.code, again.sentence]).toEqual([1, "As --fail-on wants: 1 missing."]);
  });
});

describe("the cost", () => {
  it("is told first, and above the limit nothing is sent or written", async () => {
    const bytes = readFileSync(path);
    const rows = toModel() + toRow(5, toFormulaCell("A5", '_xldudf_FEED_RANKING("2024-01",,"all")', 7));
    path = books.write(rows);
    const { code, sentence } = await books.run([path, "--max-requests", "1"]);
    const [, all, allowed] =
      /^This takes (\d+) requests or more, and 1 is allowed, so it ended .* --max-requests (\d+)$/.exec(sentence) ?? [];
    expect([code, Number(allowed) > 1, allowed]).toEqual([2, true, all]);
    expect(readFileSync(path).equals(bytes)).toBe(false);
    expect(readValues(path)).toMatchObject({ C1: 1, A5: 7 });
  });

  it("alone is told by a dry run, with the formulas", async () => {
    const bytes = readFileSync(path);
    books.sandbox.controls.reset();
    const { code, lines } = await books.run([path, "--dry-run"]);
    expect([code, lines]).toEqual([
      0,
      [
        `${path}: 2 formulas`,
        `  Sheet1!C1  =FEED.FINANCIAL("${figures[0]!.id}",2023,"Revenue")`,
        `  Sheet1!C2  =FEED.FINANCIAL("${figures[1]!.id}",2023,"Revenue")`,
        "This takes about 1 request; formulas that read others' figures may take more. Nothing was sent.",
      ],
    ]);
    expect(books.sandbox.controls.requests.filter(({ operationId }) => operationId !== "createToken")).toEqual([]);
    expect([readFileSync(path).equals(bytes), books.list()]).toEqual([true, ["Model.xlsx"]]);
  });
});

describe("a workbook is refused, and nothing is written, where", () => {
  it.each<[string, () => { words?: string[]; environment?: NodeJS.ProcessEnv }, RegExp]>([
    [
      "its figures are another provider's",
      () => {
        books.write(toModel(), { others: toSettingsParts({ provider: "https://feed.example.com" }) });
        return {};
      },
      /has figures from https:\/\/feed\.example\.com, and this would fill it from http:\/\/127/,
    ],
    [
      "there is only sample data, and its figures are a provider's",
      () => {
        books.write(toModel(), { others: toSettingsParts({ provider: "https://feed.example.com" }) });
        return { words: ["--sample"], environment: {} };
      },
      /has figures from https:\/\/feed\.example\.com, and this would fill it from sample data/,
    ],
    [
      "there is only sample data",
      () => ({ environment: {} }),
      /^No provider is set, so there is only sample data.*--sample/,
    ],
    [
      "it is damaged",
      () => {
        truncateSync(path, 700);
        return {};
      },
      /Model\.xlsx is damaged, or is no workbook\. Open it in Excel/,
    ],
    [
      "it has a password",
      () => {
        const name = Buffer.from("EncryptedPackage", "utf16le");
        writeFileSync(path, Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600), name]));
        return {};
      },
      /Model\.xlsx has a password\. Take it off/,
    ],
    [
      "it is of an older Excel",
      () => {
        writeFileSync(path, Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]));
        return {};
      },
      /Model\.xlsx is a workbook of Excel 97 to 2003\./,
    ],
    [
      "a sheet is unknown",
      () => ({ words: ["--sheets", "sheet1,Other"] }),
      /^There is no sheet "Other" in this workbook\. It has: Sheet1\.$/,
    ],
    ["no sheet is named", () => ({ words: ["--sheets", ""] }), /It takes one or more, with commas between/],
    [
      "it is open in Excel",
      () => {
        writeFileSync(join(books.folder, "~$Model.xlsx"), "");
        return {};
      },
      /Model\.xlsx is open in Excel\. Close it there/,
    ],
    [
      "its report would replace it",
      () => ({ words: ["--report", path] }),
      /Model\.xlsx is a workbook's name, and the report is JSON\. Give it another\.$/,
    ],
    [
      "its report has no folder",
      () => ({ words: ["--report", join(books.folder, "none", "report.json")] }),
      /^There is no folder \S+none\. Make it, or choose another\.$/,
    ],
    ["the option has no such reason", () => ({ words: ["--fail-on", "odd"] }), /It takes missing, changed, stale/],
    ["the limit is no number", () => ({ words: ["--max-requests", "0"] }), /It takes a whole number from 1 to 10000/],
  ])("%s", async (_what, prepare, sentence) => {
    const { words = [], environment } = prepare();
    const bytes = readFileSync(path);
    const ended = await books.run([path, ...words], environment, false);
    expect([ended.code, ended.sentence]).toEqual([2, expect.stringMatching(sentence)]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  itOnPosix("it is read-only", async () => {
    chmodSync(path, 0o444);
    const { code, sentence } = await books.run([path], undefined, false);
    expect([code, sentence]).toEqual([2, expect.stringContaining("is read-only")]);
    expect(books.sandbox.controls.count()).toBe(0);
  });
});

it("is looked at in a dry run by its own name only, not by its folder's", async () => {
  const { code, sentence } = await books.run([books.folder, "--dry-run"], undefined, false);
  expect([code, sentence]).toEqual([2, expect.stringContaining("leave out --out, --report and --dry-run")]);
  expect(books.list()).not.toContain("feed-reports");
});

it("is filled from sample data where that is wanted", async () => {
  const { code, lines } = await books.run([path, "--sample"], {});
  expect([code, lines.join("\n")]).toEqual([
    0,
    expect.stringMatching(/\nFigures of [\d: -]+ from the sample data: none of them is real\.\n/),
  ]);
  expect(books.list()).not.toContain("answers"); // no later run could use them
});

it("says that a workbook has no formula of the add-in, and leaves it alone", async () => {
  path = books.write(toRow(1, toFormulaCell("A1", "1+1", 2)));
  const bytes = readFileSync(path);
  for (const words of [[], ["--dry-run", "--out", join(books.folder, "Copy.xlsx")]]) {
    const { code, lines } = await books.run([path, ...words], {}, false);
    expect([code, lines]).toEqual([0, [`${path} has no FEED formula to refresh.`]]);
  }
  expect(books.list()).toEqual(["Model.xlsx"]);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

describe("formulas that came from Google Sheets", () => {
  const toDummy = (address: string, inner: string, value: number) =>
    toFormulaCell(address, `IFERROR(__xludf.DUMMYFUNCTION("${inner.replaceAll('"', '""')}"),${value})`, value);
  beforeEach(() => {
    path = books.write(
      toRow(
        1,
        toDummy("A1", `FEED.FINANCIAL("${figures[0]!.id}",2023,"Revenue")`, 7),
        toFormulaCell("C1", "A1*2", 14),
      ) + toRow(2, toDummy("A2", 'FEED.RANKING("2024-01",,1)', 8), toDummy("B2", '"COMPUTED_VALUE"', 9)),
    );
  });

  it("keep their values, and are told", async () => {
    const bytes = readFileSync(path);
    const { code, lines } = await books.run([path], undefined, false);
    expect([code, lines]).toEqual([
      0,
      [
        `${path} has no FEED formula to refresh.`,
        "2 formulas of Google Sheets kept old values, first Sheet1!A1. To make single figures live: --adopt-sheets",
      ],
    ]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("become live where that is wanted, but for tables, whose cells hold formulas of their own", async () => {
    const { code, report } = await books.refresh(path, "--adopt-sheets");
    const { revenue, id } = figures[0]!;
    expect([code, readValues(path)]).toMatchObject([0, { A1: revenue, C1: 2 * revenue, A2: 8, B2: 9 }]);
    expect(readParts(path)["xl/worksheets/sheet1.xml"]).toContain(
      `<f>_xldudf_FEED_FINANCIAL(&quot;${id}&quot;,2023,&quot;Revenue&quot;)</f>`,
    );
    expect(report.notes).toEqual([
      "Tables of Google Sheets kept their old values (1, first Sheet1!A2): the cells that they fill hold formulas of their own. Clear them in Excel, and enter their formulas again.",
    ]);
  });
});

it("says that a signature has ended", async () => {
  const origin = {
    "_xmlsignatures/origin.sigs": "",
    "_rels/.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin" Target="_xmlsignatures/origin.sigs"/></Relationships>',
  };
  path = books.write(toModel(), { others: origin });
  const { report } = await books.refresh(path);
  expect(report.notes).toEqual(["The file's signature has ended, as with any change. Sign it again in Excel."]);
});

itOnPosix("writes through a link to the workbook's own file", async () => {
  const link = join(books.folder, "Link.xlsx");
  symlinkSync(path, link);
  const { report } = await books.refresh(link);
  expect([report.written, existsSync(link), readValues(path).C1]).toEqual([path, true, figures[0]!.revenue]);
});
