import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row";
import { COLD_CELL } from "./rows/cold-cell";
import { COLD_FILL } from "./rows/cold-fill";
import { FIRM_LOADS } from "./rows/firm-loads";
import { MATCHING } from "./rows/matching";
import { MEMORY } from "./rows/memory";
import { NAMES } from "./rows/names";
import { OPENING } from "./rows/opening";
import { PACKAGE } from "./rows/package";
import { PANE } from "./rows/pane";
import { RANKING } from "./rows/ranking";
import { REFRESH } from "./rows/refresh";
import { RELAY } from "./rows/relay";
import { REOPEN } from "./rows/reopen";
import { TREND } from "./rows/trend";
import { WORKBOOK } from "./rows/workbook";

const TOOLS = join(__dirname, "../tools");

/** The rows of tools, each in the folder of its tool. */
const OF_TOOLS = readdirSync(TOOLS)
  .map((tool) => join(TOOLS, tool, "bench.ts"))
  .filter(existsSync)
  .map((file): Row => require(file).ROW);

export const ROWS: readonly Row[] = [
  COLD_FILL,
  COLD_CELL,
  REOPEN,
  REFRESH,
  RANKING,
  TREND,
  MEMORY,
  ...OF_TOOLS,
  PANE,
  NAMES,
  MATCHING,
  RELAY,
  OPENING,
  PACKAGE,
  WORKBOOK,
  ...FIRM_LOADS,
];
