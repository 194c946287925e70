import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readSheet, toFunctionCalls } from "../bench/excel/sheet";
import { createOfficeRuntime } from "../office/runtime";
import { startCompanion } from "../support/companion";

/** Cells created before the measurement, to exclude one-time allocations. */
const FIRST = 1_400;

const BARE = 'CustomFunctions.associate("FINANCIAL", (...given) => given.at(-1).setResult([[1]]));';
const BUNDLE = readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");

async function readHeapBytes(): Promise<number> {
  for (let time = 0; time < 3; time++) {
    globalThis.gc?.();
    await setTimeout(20); // lets finalizers run
  }
  return process.memoryUsage().heapUsed;
}

/** Prints the heap bytes of each of 5,600 live cells, beside those of an add-in of one line. */
async function run(): Promise<void> {
  const companion = await startCompanion({ companies: 500 });
  const calls = toFunctionCalls(await readSheet(companion.origin, 50));
  const measure = async (script: string) => {
    const runtime = createOfficeRuntime({ origin: companion.origin });
    runtime.load(script);
    await runtime.ready;
    await runtime.settled(runtime.callMany(calls.slice(0, FIRST)));
    const before = await readHeapBytes();
    await runtime.settled(runtime.callMany(calls.slice(FIRST)));
    const bytes = (await readHeapBytes()) - before;
    runtime.dispose();
    return bytes / (calls.length - FIRST);
  };
  const bare = await measure(BARE);
  process.stdout.write(JSON.stringify({ bare, own: await measure(BUNDLE) }));
  await companion.close();
  process.exit(); // live cells would keep the process running
}

void run();
