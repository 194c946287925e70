import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, jest } from "@jest/globals";
import { unzipSync } from "fflate";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import type { Report } from "../../src/refresh/report";
import type { XlsxCell } from "../../src/xlsx/sheet";
import { startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type RunningProvider, startSandbox } from "../support/provider";
import { toFile, toParts, toRelationships, toSheet } from "../xlsx/files";
import { readFunctions, toEnvironment } from "./command-surroundings";

export type Parts = ReturnType<typeof toParts>;

/** A folder with workbooks, and a provider with sample data for each test. */
export function openBooks() {
  const books = {
    folder: "",
    /** The folder of the built pages. */
    webFolder: "",
    sandbox: null as unknown as RunningProvider,
    /** Writes a workbook of one sheet with these rows, and gives its path. */
    write(rows: string, { others, name = "Model.xlsx" }: { others?: Parts; name?: string } = {}): string {
      const path = join(books.folder, name);
      writeFileSync(path, toFile(toParts(toSheet(rows), others)));
      return path;
    },
    /** Runs the command in this process. @param asks whether it reads figures, for which it must be like a new process */
    async run(words: readonly string[], environment?: NodeJS.ProcessEnv, asks = true) {
      if (asks) jest.resetModules(); // a process has one host
      const { runToEnd } = await import("../companion/command-run");
      const { toExitCode } = await import("../../src/companion/commands/results");
      const { folder, webFolder, sandbox } = books;
      const surroundings = { environment: environment ?? toEnvironment(sandbox), webFolder, folder };
      const { lines, error } = await runToEnd(["refresh", ...words], surroundings);
      return { code: error === undefined ? 0 : toExitCode(error), sentence: error?.message ?? "", lines };
    },
    /** Refreshes a workbook, and gives its report too. */
    async refresh(path: string, ...words: string[]) {
      const reportPath = join(books.folder, "report.json");
      const ended = await books.run([path, "--report", reportPath, ...words]);
      return { ...ended, report: JSON.parse(readFileSync(reportPath, "utf8")) as Report };
    },
    list: () => readdirSync(books.folder).toSorted(),
  };
  beforeAll(async () => {
    books.webFolder = mkdtempSync(join(tmpdir(), "feed-web-"));
    writeFileSync(join(books.webFolder, "functions.json"), JSON.stringify(await readFunctions()));
  });
  afterAll(() => rmSync(books.webFolder, { recursive: true }));
  beforeEach(async () => {
    books.folder = mkdtempSync(join(tmpdir(), "feed-books-"));
    books.sandbox = await startSandbox({ companies: COMPANIES });
  });
  afterEach(async () => {
    await books.sandbox.close();
    rmSync(books.folder, { recursive: true });
  });
  return books;
}

/** A company of the sandbox with a figure of a year. */
export interface Figure {
  id: string;
  name: string;
  year: number;
  revenue: number;
}

const COMPANIES = 120;

/** Reads figures without the add-in: the first companies with one revenue in 2023. */
export async function readFigures(count: number): Promise<Figure[]> {
  const companion = await startCompanion({ companies: COMPANIES });
  try {
    const read = await createDirectReading(companion.origin);
    const { data } = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=40");
    const figures: Figure[] = [];
    for (const { id, companyName } of data) {
      const path = `/asia/private-markets/v1/financials/companies/${id}?year=2023`;
      const { years } = await read<CompanyFinancials>(path).catch(() => ({ years: [] as CompanyFinancials["years"] }));
      const metrics = years.flatMap(({ statements }) => statements.flatMap((statement) => statement.metrics));
      const [revenue, ...others] = metrics.filter(({ name }) => name === "Revenue").map(({ value }) => value);
      if (typeof revenue === "number" && others.length === 0)
        figures.push({ id, name: companyName ?? "", year: 2023, revenue });
      if (figures.length === count) break;
    }
    return figures;
  } finally {
    await companion.close();
  }
}

/** The cells of a workbook's first sheet by address, as its own reader has them. */
export function readValues(path: string): Record<string, XlsxCell["value"]> {
  const { openPackage } = require("../../src/xlsx/package") as typeof import("../../src/xlsx/package");
  const { readWorkbook } = require("../../src/xlsx/workbook") as typeof import("../../src/xlsx/workbook");
  const { readCells } = require("../../src/xlsx/sheet") as typeof import("../../src/xlsx/sheet");
  const { toAddress } = require("../../src/xlsx/addresses") as typeof import("../../src/xlsx/addresses");
  const pack = openPackage(readFileSync(path));
  const workbook = readWorkbook(pack);
  return Object.fromEntries(
    readCells(pack, workbook, workbook.sheets[0]!).cells.map(({ row, column, value }) => [
      toAddress(row, column),
      value,
    ]),
  );
}

/** The unpacked parts of a file, as text. */
export const readParts = (path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(readFileSync(path))).map(([part, bytes]) => [part, Buffer.from(bytes).toString("latin1")]),
  );

/** A cell with a formula and its last value, which may be a text. */
export const toFormulaCell = (address: string, formula: string, value: string | number): string => {
  const type = typeof value === "number" ? "" : ` t="${value.startsWith("#") ? "e" : "str"}"`;
  return `<c r="${address}"${type}><f>${formula.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</f><v>${value}</v></c>`;
};

/** A row of cells. */
export const toRow = (row: number, ...cells: string[]): string => `<row r="${row}">${cells.join("")}</row>`;

export const toText = (address: string, text: string): string =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** The parts with the add-in's settings of a workbook. */
export function toSettingsParts(settings: object): Parts {
  const json = JSON.stringify(settings).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const extension = "http://schemas.microsoft.com/office/webextensions/webextension/2010/11";
  return {
    "_rels/.rels": toRelationships(
      ["rId1", "officeDocument", "xl/workbook.xml"],
      ["rId2", "webextensiontaskpanes", "xl/webextensions/taskpanes.xml"],
    ),
    "xl/webextensions/taskpanes.xml":
      '<p:taskpanes xmlns:p="http://schemas.microsoft.com/office/webextensions/taskpanes/2010/11"/>',
    "xl/webextensions/_rels/taskpanes.xml.rels": toRelationships(["rId1", "webextension", "webextension1.xml"]),
    "xl/webextensions/webextension1.xml":
      `<we:webextension xmlns:we="${extension}" id="{1}"><we:properties>` +
      `<we:property name="feed" value="${json}"/></we:properties></we:webextension>`,
  };
}
