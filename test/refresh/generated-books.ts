import type { Outcome, ResultCell } from "../../src/playground/custom-functions";
import { type Chance, createChance } from "../support/chance";

/** A workbook of formulas, by sheet and address; texts are the formulas as a person enters them. */
export interface GeneratedBook {
  sheets: Record<string, Record<string, string>>;
  names: Record<string, string>;
}

/** Before and after a refresh, the add-in's functions answer otherwise. */
export type Epoch = "before" | "after";

const WORDS = ["Alpha", "beta", "Gamma", "007", "Delta Inc."];
const SHEETS = ["One", "Two"];

/** Makes a small workbook: inputs in A, single calls in C, tables in F and J, what depends on them in L to T. */
export function createGeneratedBook(seed: number): GeneratedBook {
  const chance = createChance(seed);
  const sheets = Object.fromEntries(SHEETS.map((name) => [name, createSheet(name, chance)]));
  return { sheets, names: { FirstInputs: "One!$A$1:$A$4", Table: "Two!$F$1:$G$9" } };
}

function createSheet(name: string, chance: Chance): Record<string, string> {
  const cells: Record<string, string> = {};
  const other = name === "One" ? "Two" : "One";
  for (let row = 1; row <= 8; row++) {
    if (chance.happens(0.9)) cells[`A${row}`] = createInput(chance);
    if (chance.happens(0.7)) cells[`C${row}`] = createCall(row, chance);
    if (chance.happens(0.9)) cells[`L${row}`] = createDependant(name, other, chance);
    if (row > 1 && chance.happens(0.7)) cells[`R${row}`] = createChainLink(row, other, chance);
  }
  cells.F1 = `=FEED.TABLE(${chance.below(50)})`;
  cells.J1 = `=FEED.TABLE(${chance.happens(0.5) ? "A1" : chance.below(50)})`;
  if (chance.happens(0.4)) cells[`J${3 + chance.below(3)}`] = "in the way";
  cells.N1 = chance.pick(["=SORT(F1#)", "=UNIQUE(F1:F9)", "=TRANSPOSE(F1#)", "=FILTER(G1:G9,G1:G9>0)", "=TAKE(F1#,2)"]);
  cells.R1 = `=C${1 + chance.below(8)}`;
  return cells;
}

function createInput(chance: Chance): string {
  if (chance.happens(0.2)) return `'${chance.pick(WORDS)}`;
  return chance.pick([`${chance.below(100)}`, `${chance.below(1000) / 4}`, `-${chance.below(20)}`, "TRUE"]);
}

function createCall(row: number, chance: Chance): string {
  const argument = chance.pick([`A${row}`, `${chance.below(40)}`, `"${chance.pick(WORDS)}"`, "SUM(FirstInputs)"]);
  const call = `FEED.NUMBER(${argument})`;
  return chance.pick([
    `=${call}`,
    `=IFERROR(${call},0)`,
    `=IFERROR(${call}/A${row},-1)`,
    `=${call}*2`,
    `=FEED.NUMBER(${call})`,
    `=SUM(${call},A${row})`,
    `=IF(${call}>50,"high","low")`,
    row > 1 ? `=FEED.NUMBER(C${row - 1})` : `=${call}`,
    "=FEED.NUMBER(F1)",
    "=FEED.NUMBER(IFERROR(G2,3))",
  ]);
}

function createDependant(own: string, other: string, chance: Chance): string {
  const one = `C${1 + chance.below(8)}`;
  const far = `${chance.pick([own, other])}!C${1 + chance.below(8)}`;
  const last = 2 + chance.below(8);
  return chance.pick([
    `=${one}+1`,
    `=${far}*2-${one}`,
    `=IFERROR(${one}/${far},0)`,
    `=SUM(${other}!C1:C${last})`,
    "=COUNTA(F1:F9)",
    `=SUM(G1:G${last})`,
    `=SUMIFS(G1:G9,F1:F9,"${chance.pick(WORDS)}")`,
    `=IFERROR(XLOOKUP("${chance.pick(WORDS)}",F1:F9,G1:G9),"none")`,
    `=INDEX(F1:G9,${1 + chance.below(5)},${1 + chance.below(2)})`,
    `=IFERROR(VLOOKUP("${chance.pick(WORDS)}",Table,2,FALSE),0)`,
    `=MAX(${one},${far},G1:G${last})`,
    `=IF(ISNUMBER(${one}),${one}/4,"text")`,
    `=COUNTIF(J1:J9,"${chance.pick(WORDS)}")`,
    `=${one}&"|"&F2`,
    "=SUM(F1#)",
    "=ROWS(F1#)",
    `=AVERAGE(FirstInputs)+${one}`,
    `=A${last}*2`,
    `=SUM(${other}!G:G)`,
    `=IFERROR(MATCH("${chance.pick(WORDS)}",J1:J9,0),-1)`,
    `=ROUND(${one}/8,1)`,
    `=LEN(${one})`,
  ]);
}

const createChainLink = (row: number, other: string, chance: Chance) =>
  chance.pick([`=R${row - 1}`, `=IFERROR(R${row - 1}+${other}!L${row},0)`, `=N${row}`, `=L${row}&R${row - 1}`]);

const value = (of: string | number | boolean): ResultCell => ({ kind: "value", value: of });
const MISSING: ResultCell = { kind: "error", code: "#N/A", message: "FEED_NO_VALUE: there is none" };

/** The answers of the functions NUMBER and TABLE; they differ for most arguments by epoch. */
export function answer(name: string, given: unknown, epoch: Epoch): Outcome {
  if (typeof given === "object" && given !== null) return { kind: "error", code: (given as { code: string }).code };
  const chance = createChance(hash(`${name} ${JSON.stringify(given ?? 0)}`));
  if (epoch === "after" && chance.happens(0.6)) chance.next();
  if (name === "TABLE") {
    const rows = Array.from({ length: 1 + chance.below(5) }, () => [
      value(chance.pick(WORDS)),
      chance.happens(0.1) ? value("") : value(chance.below(400) / 4),
    ]);
    return { kind: "array", rows };
  }
  if (chance.happens(0.15)) return MISSING;
  if (chance.happens(0.15)) return value(chance.pick(WORDS));
  return value(chance.below(2_000) / 8);
}

function hash(text: string): number {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) % 2_147_483_647;
  return sum;
}
