import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orElse } from "../../refresh/file";
import type { RefreshBook } from "../../refresh/folder";
import type { Report } from "../../refresh/report";
import type { Answer } from "../answers";
import type { Folders } from "../folders";
import { PAGE } from "../schemas";
import type { Tool } from "../tool";
import { ToolError } from "../tool-error";

interface Given {
  workbook: string;
  write?: boolean;
}

/** What the tool works with. */
export interface WorkbookAccess {
  folders: Folders;
  /** Refreshes a workbook, or only tells the cost. */
  refresh: RefreshBook;
  estimate: RefreshBook;
}

const COLUMNS = ["sheet", "cell", "what", "before", "after", "problem"];

/** Makes the tool that refreshes workbooks in folders that the person allowed. */
export const createRefresh = ({ folders, refresh, estimate }: WorkbookAccess): Tool<Given> => ({
  name: "refresh_workbook",
  description:
    "Refreshes the FEED formulas of a workbook's file, below the folders that the person allowed. Without write it only tells the cost: do that first.",
  properties: {
    workbook: { type: "string", minLength: 1, maxLength: 1000 },
    write: { type: "boolean", description: "Default false" },
    limit: PAGE.limit,
  },
  required: ["workbook"],
  writes: true,
  async run({ workbook, write = false }, { signal, source }): Promise<Answer> {
    if (source.mode === "sample")
      throw toRefused("there are only sample data, which fill no workbook", "set up a provider");
    const book = folders.find(workbook);
    const folder = mkdtempSync(join(tmpdir(), "feed-mcp-"));
    try {
      const path = join(folder, "report.json");
      const { status, sentence } = await (write ? refresh : estimate)(book, path, signal);
      if (!write && status === 0) return toAnswer("Cost of the refresh", [], sentence, null);
      const report = orElse(null, (): Report => JSON.parse(readFileSync(path, "utf8")));
      if (report === null) throw toRefused(sentence, "");
      return toAnswer("Changed cells", listRows(report), sentence, report.asOf.oldest);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

const toRefused = (sentence: string, cure: string) => new ToolError("FEED_NOT_REFRESHED", sentence, cure);

const toAnswer = (title: string, rows: unknown[][], sentence: string, asOf: string | null): Answer => ({
  ...{ title, columns: COLUMNS, rows, asOf },
  formulas: [],
  notes: [sentence],
  isOnce: true,
});

function listRows({ changes, failed, missing }: Report): unknown[][] {
  return [
    ...failed.map((cell) => toProblem(cell, "old value stays: ")),
    ...missing.map((cell) => toProblem(cell)),
    ...changes.map(({ sheet, cell, what, year, metric, isPersonal, before, after }) =>
      isPersonal
        ? [sheet, cell, "data of a person, not shown to assistants", null, null, null]
        : [sheet, cell, [what, year, metric].filter(Boolean).join(" "), before, after, null],
    ),
  ];
}

const toProblem = ({ sheet, cell, formula, code, sentence }: Report["failed"][number], lead = ""): unknown[] => {
  return [sheet, cell, formula, null, null, `${lead}${code}: ${sentence}`];
};
