import { parseArgs } from "node:util";
import type { Row } from "./row";

const DEFAULT_ROUNDS = 7;

export interface Options {
  rows: readonly Row[];
  rounds: number;
  /** A file for the figures as JSON, in addition to the printout. */
  json: string | undefined;
}

export const toHelp = (rows: readonly Row[]): string => `Usage: npm run bench -- [options]

Measures the built add-in beside the least that anybody could do, contenders in turn, and prints what is not reached.

Options
  --only a,b    these parts alone; "firm" has all that begin with "firm-" run too
  --rounds n    how often each contender runs; default ${DEFAULT_ROUNDS}
  --json file   writes the figures there as well
  --help        this text

Parts
${rows.map(({ name, title, isLong }) => `  ${name.padEnd(13)} ${title}${isLong ? " (only where it is named)" : ""}`).join("\n")}`;

/**
 * Reads the arguments of `npm run bench --`.
 * @returns the options, or undefined for help.
 * @throws Error with a sentence for the person.
 */
export function readOptions(args: readonly string[], known: readonly Row[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h" },
      json: { type: "string" },
      only: { type: "string" },
      rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
    },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds takes a whole number from 1, not "${values.rounds}".`);
  }
  return { rows: pickRows(values.only, known), rounds, json: values.json };
}

function pickRows(only: string | undefined, known: readonly Row[]): readonly Row[] {
  if (only === undefined) return known.filter(({ isLong }) => !isLong);
  const wanted = only.split(",");
  const isMeant = (row: Row, name: string) => row.name === name || row.name.startsWith(`${name}-`);
  const stranger = wanted.find((name) => !known.some((row) => isMeant(row, name)));
  if (stranger === undefined) return known.filter((row) => wanted.some((name) => isMeant(row, name)));
  throw new Error(`--only takes ${known.map(({ name }) => name).join(", ")}, not "${stranger}".`);
}
