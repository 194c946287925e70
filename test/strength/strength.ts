import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree } from "../support/tree-copy";
import { applyFault, chooseFaults, type SeededFault } from "./faults";

/** How a fault ended: a test went red, all that can see it stayed green, the time was over, or its line is gone. */
type Outcome = "red" | "green" | "late" | "gone";

interface Verdict extends SeededFault {
  outcome: Outcome;
  /** The file of the first test that went red. */
  by?: string;
  seconds: number;
}

const ROOT = join(__dirname, "../..");
const REPORT = join(ROOT, "artefacts/strength.json");
const JEST = join(ROOT, "node_modules/jest/bin/jest.js");
const BUILD = "src/build/build.mjs";
const BUILT = "dist/web/functions.js";
const LOG = "strength.log";

/** What the tests of the built bundles are in. */
const OF_BUNDLES = ["test/e2e", "test/excel", "test/hosts", "test/architecture"];

/** Tests of both runs that protect a change: npm test and npm run test:firm. */
const MATCHED = ["--testMatch", "**/*.test.ts?(x)", "!**/*.long.test.ts?(x)"];

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Options {
  /** Seconds for the tests of one fault. */
  longest: number;
  /** Builds the pages with the fault, and runs the tests that load them. */
  isBuilt: boolean;
}

/** Runs the tests that can see a fault, its nearest and quickest files first, until one is red. */
async function findVerdict(folder: string, fault: SeededFault, { longest, isBuilt }: Options): Promise<Verdict> {
  const path = join(folder, fault.file);
  const source = readFileSync(path, "utf8");
  const text = applyFault(source, fault);
  if (text === undefined) return { ...fault, outcome: "gone", seconds: 0 };
  writeFileSync(path, text);
  const startMs = performance.now();
  if (isBuilt) {
    await run(folder, [BUILD], 300);
    // Without pages every test is red, whatever the fault.
    if (!existsSync(join(folder, BUILT))) throw new Error(`the build failed; see ${folder}/${LOG}`);
  }
  const seen = isBuilt
    ? OF_BUNDLES
    : ["--roots", join(folder, "src"), "--roots", join(folder, "test"), "--findRelatedTests", path];
  const settings = ["--rootDir", folder, "--bail", "--reporters", "default", ...MATCHED];
  const sequencer = ["--testSequencer", join(__dirname, "sequencer.cjs"), "--passWithNoTests", "--forceExit"];
  const isInTime = await run(folder, [JEST, ...settings, ...sequencer, ...seen], longest, fault.file);
  writeFileSync(path, source);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  if (!isInTime) return { ...fault, outcome: "late", seconds }; // a file that was ended says FAIL, too
  // A bail ends jest before it writes results, so its own words tell which file was red.
  const log = readFileSync(join(folder, LOG), "utf8");
  const [, by] = /^FAIL (\S+)/m.exec(log) ?? [];
  if (by !== undefined) return { ...fault, outcome: "red", by, seconds };
  if (!/^(No tests found|Tests: )/m.test(log)) throw new Error(`jest ran no test:\n${log}`);
  return { ...fault, outcome: "green", seconds };
}

/** Runs a Node program, and ends it after some seconds. Whether it ended by itself. */
function run(folder: string, words: readonly string[], longestSeconds: number, faulty = ""): Promise<boolean> {
  const environment = { ...process.env, STRENGTH_FILE: faulty, STRENGTH_ROOT: ROOT };
  const log = openSync(join(folder, LOG), "w");
  const stdio = ["ignore", log, log] as const;
  const child = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: [...stdio], detached: true });
  closeSync(log);
  return new Promise((resolve) => {
    let isInTime = true;
    const end = (signal: NodeJS.Signals) => {
      isInTime = false;
      process.kill(-child.pid!, signal);
    };
    const polite = setTimeout(end, longestSeconds * 1000, "SIGTERM");
    const forced = setTimeout(end, (longestSeconds + 5) * 1000, "SIGKILL");
    child.on("exit", () => {
      clearTimeout(polite);
      clearTimeout(forced);
      resolve(isInTime);
    });
  });
}

/** The share of faults that turned a test red, of each room and of all. */
function printShares(verdicts: readonly Verdict[]): void {
  const rooms = [...new Set(verdicts.map(({ room }) => room))].sort();
  for (const room of [...rooms, "all"]) {
    const own = verdicts.filter((each) => (room === "all" || each.room === room) && each.outcome !== "gone");
    const red = own.filter(({ outcome }) => outcome === "red").length;
    print(`${room.padEnd(12)} ${red} of ${own.length} found (${Math.round((100 * red) / own.length)} %)`);
  }
}

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      faults: { type: "string", default: "150" },
      seed: { type: "string", default: "1" },
      seconds: { type: "string", default: "60" },
      again: { type: "string" },
      room: { type: "string" },
      built: { type: "boolean", default: false },
    },
  });
  const all: SeededFault[] = values.again
    ? JSON.parse(readFileSync(values.again, "utf8"))
    : chooseFaults(ROOT, Number(values.faults), Number(values.seed));
  const faults = all.filter(({ room }) => values.room === undefined || room === values.room);
  const folder = copyTree();
  const verdicts: Verdict[] = [];
  for (const fault of faults) {
    const verdict = await findVerdict(folder, fault, { longest: Number(values.seconds), isBuilt: values.built });
    verdicts.push(verdict);
    print(
      `${verdict.outcome.padEnd(6)} ${verdict.seconds} s ${fault.file}: ${fault.kind}: ${fault.from} → ${fault.to}`,
    );
    mkdirSync(join(ROOT, "artefacts"), { recursive: true });
    writeFileSync(REPORT, `${JSON.stringify(verdicts, null, 1)}\n`);
  }
  rmSync(folder, { recursive: true });
  printShares(verdicts);
}

measure();
