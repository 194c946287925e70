import type { Tool } from "./tool";
import { company } from "./tools/company";
import { financials } from "./tools/financials";
import { find } from "./tools/find";
import { formula } from "./tools/formula";
import { match } from "./tools/match";
import { rankings } from "./tools/rankings";
import { createRefresh, type WorkbookAccess } from "./tools/refresh";
import { taxonomy } from "./tools/taxonomy";

/** The tools, in the order of their list; that for files only where the person allowed folders. */
export const listTools = (workbooks: WorkbookAccess | undefined): readonly Tool[] => [
  ...[find, match, company, financials, taxonomy, rankings, formula],
  ...(workbooks === undefined ? [] : [createRefresh(workbooks)]),
];
