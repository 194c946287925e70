import { Console } from "node:console";
import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import { run } from "./run";
import { MODES, type Mode } from "./site";
import { createTally, FAILURES } from "./tally";

const OPTIONS = {
  rows: { type: "string", default: "200000" },
  figures: { type: "string", default: "200000" },
  mode: { type: "string" },
  seed: { type: "string", default: "1" },
  round: { type: "string" },
  minutes: { type: "string", default: "20" },
} as const;

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const modes = values.mode === undefined ? MODES : (values.mode.split(",") as Mode[]);
  const unknown = modes.find((mode) => !MODES.includes(mode));
  if (unknown !== undefined) throw new Error(`There is no mode ${unknown}; there are ${MODES.join(", ")}.`);
  const [seed, rows, figures] = [Number(values.seed), Number(values.rows), Number(values.figures)];
  const endMs = performance.now() + Number(values.minutes) * 60_000;
  const tally = createTally(print);
  const requests = await run({
    ...{ seed, modes, rows, figures, endMs, tally, print },
    ...(values.round !== undefined && { rounds: values.round.split(",").map(Number) }),
  });
  new Console(process.stdout).table(tally.toRows());
  const failures = FAILURES.map((verdict) => `${tally.total(verdict)} ${verdict}`);
  print(`seed ${seed}: ${requests} requests; ${failures.join(", ")}; ${tally.missing()} errors where all must come`);
  const isShort = modes.some((mode) => tally.shown(mode, "rows") < rows || tally.shown(mode, "figures") < figures);
  if (isShort && values.round === undefined) print("It ended before so many rows and figures were shown.");
  const isBad = FAILURES.some((verdict) => tally.total(verdict) > 0) || tally.missing() > 0;
  process.exitCode = isBad || (isShort && values.round === undefined) ? 1 : 0;
}

/** Many requests of a page listen to one abort signal. */
setMaxListeners(1_000);

void main();
