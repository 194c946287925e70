import { checkModel } from "./check";
import type { CheckInput, FeedFact } from "./finding";
import { findParsed, listFormulas, type ParsedFormulas } from "./model";
import type { CheckAnswer, CheckMessage, CheckResult } from "./thread";

// The script of the worker: parsing and checking must not block cells and pane.
const parsed: ParsedFormulas = new Map();
let current = 0;
let sheets: CheckInput["sheets"] = [];
let facts: FeedFact[] = [];

const answer = (result: CheckResult): void => {
  const message: CheckAnswer = { ...result, run: current };
  postMessage(message);
};

addEventListener("message", ({ data }: MessageEvent<CheckMessage>) => {
  if (data.type === "begin") begin(data.run);
  else if (data.run !== current)
    return; // of a check that another has ended
  else if (data.type === "sheet") addRows(data.sheet);
  else if (data.type === "facts") facts.push(...data.facts);
  else run(data);
});

function begin(run: number): void {
  current = run;
  sheets = [];
  facts = [];
}

/** The rows of a sheet come in parts, one after another; they are parsed while the page reads what stands behind them. */
function addRows(part: CheckInput["sheets"][number]): void {
  for (const cell of listFormulas(part)) findParsed(parsed, cell);
  const last = sheets.at(-1);
  if (last?.sheet !== part.sheet) return void sheets.push(part);
  last.values.push(...part.values);
  last.formulas.push(...part.formulas);
}

function run({ names, tables, namespace }: Extract<CheckMessage, { type: "run" }>): void {
  const input: CheckInput = { sheets, names, tables, facts, namespace };
  begin(current);
  try {
    const checked = checkModel(input, parsed, undefined, (done, all) => answer({ type: "progress", done, all }));
    answer({ type: "done", checked });
  } catch (error) {
    answer({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
}
