import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { MAIN, openHome, toHome } from "../companion/programs";
import { itOnPosix } from "../support/posix";
import { toFile, toParts, toSheet } from "../xlsx/files";
import { toFormulaCell, toRow } from "./workbooks";

const home = openHome();

itOnPosix(
  "where a workbook's file finds no room half-way, the old one stays, alone, and the command says so",
  async () => {
    const books = join(home.folder, "books");
    mkdirSync(books);
    const path = join(books, "Model.xlsx");
    const numbers = Array.from({ length: 4_000 }, (_, row) =>
      toRow(row + 2, `<c r="A${row + 2}"><v>${Math.sin(row)}</v></c>`),
    );
    const figure = toRow(1, toFormulaCell("A1", 'FEED.RANKING("2024-01",,1,"companyName",,FALSE)', "old"));
    writeFileSync(path, toFile(toParts(toSheet(figure + numbers.join("")))));
    const bytes = readFileSync(path);
    // The shell's limit of a file's size stops the write where a full disk would.
    const call = 'trap "" XFSZ; ulimit -f 16; exec "$@"';
    const words = ["-c", call, "sh", process.execPath, MAIN, "refresh", path, "--sample"];
    const ended = await new Promise((resolve) => {
      const done = (error: { code?: unknown } | null, _: string, errors: string) => resolve([error?.code, errors]);
      execFile("sh", words, { env: toHome(home.folder) }, done);
    });
    expect(ended).toEqual([
      2,
      `Error: ${path} cannot be written: its drive takes no file of this size. Choose another place.\n`,
    ]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(books)).toEqual(["Model.xlsx"]);
  },
);
