import { setMaxListeners } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { pickShare } from "../../bench/measure";
import { type Firm, startFirm } from "../../firm/firm";
import { createMemoryCap } from "../../firm/memory-cap";
import { type Faults, startFaults } from "./faults";
import { type Bounds, judgeLives, judgeRate, judgeStore } from "./judgement";
import { COMPANIES, startReaders } from "./readers";
import { type Figure, openSamples, type Samples } from "./samples";
import { createTally, type Tally } from "./tally";

const MB = 2 ** 20;
const MINUTE_MS = 60_000;
const NS_PER_MS = 1e6;
const SAMPLE_MS = 5_000;
/** Every reader has left by then, a failing one too. */
const LEAVE_MS = 6 * MINUTE_MS;
/** By then idle connections are closed: nginx's end after a minute. */
const IDLE_MS = 75_000;
/** nginx's idle connections, the store's, the provider's, and listening ones. */
const MOST_IDLE_SOCKETS = 100;
/** A provider on another continent. */
const LATENCY_MS = 100;

/** An instance's memory as deployed, and the preset rate; the store is small, so that it is full for most of the time. */
const BOUNDS: Omit<Bounds, "minutes"> = { capBytes: 1024 * MB, storeBytes: 128 * MB, perMinute: 600 };

interface FirmSoakOptions {
  minutes: number;
  print: (line: string) => void;
}

/**
 * Runs a firm at its provider's agreed limit, with a cap on each instance's memory and a fault now and then.
 * @returns the complaints; nothing if all is well
 */
export async function endureFirm({ minutes, print }: FirmSoakOptions): Promise<readonly string[]> {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // with what it has started
  const cap = createMemoryCap(BOUNDS.capBytes);
  print(cap.by === "" ? "No cap on memory can be set here: it is only measured." : `Memory is capped by ${cap.by}.`);
  const storeWords = ["--maxmemory", String(BOUNDS.storeBytes), "--maxmemory-policy", "volatile-lru"];
  const settings = { FEED_PROVIDER_PER_MINUTE: String(BOUNDS.perMinute), FEED_AUDIT_FILE: "-" };
  const firm = await startFirm({ companies: COMPANIES, settings, cap, storeWords });
  print(`Metrics are at ${firm.addresses.map(({ metrics }) => metrics).join(" ")}.`);
  try {
    await firm.provider.order({ latencyMs: LATENCY_MS, forget: true });
    return await run(firm, { minutes, print });
  } finally {
    await firm.close();
    cap.remove();
  }
}

async function run(firm: Firm, { minutes, print }: FirmSoakOptions): Promise<readonly string[]> {
  const [tally, samples, startMs] = [createTally(), openSamples(firm), performance.now()];
  const readers = startReaders(firm, tally);
  const { complaints } = tally;
  const faults = startFaults(firm, minutes * MINUTE_MS, (reason) => void complaints.push(reason));
  setMaxListeners(100); // the requests of a list share one signal; undici fails where there is no limit
  const delay = monitorEventLoopDelay();
  delay.enable();
  let [minute, sent] = [1, 0];
  while (performance.now() < startMs + minutes * MINUTE_MS) {
    await wait(SAMPLE_MS);
    await samples.takeInstances();
    if (performance.now() < startMs + minute * MINUTE_MS) continue;
    await samples.takeStore();
    const { all } = await firm.provider.order({});
    const lateMs = Math.round(delay.percentile(99) / NS_PER_MS);
    delay.reset();
    print(
      `${minute} min: ${describe(tally, samples, faults)}; ${all - sent} requests to the provider; ` +
        `the readers' process is late by up to ${lateMs} ms`,
    );
    [minute, sent] = [minute + 1, all];
  }
  const seen = await firm.provider.order({});
  await faults.over;
  const haveLeft = await Promise.race([readers.end().then(() => true), wait(LEAVE_MS, false, { ref: false })]);
  if (!haveLeft) complaints.push(`some readers still wait ${LEAVE_MS / MINUTE_MS} minutes after the end`);
  await wait(IDLE_MS);
  const people = tally.signIns;
  const bounds = { ...BOUNDS, minutes };
  const judged = [
    judgeLives(samples.lives, bounds),
    judgeStore(samples.store, bounds, people),
    judgeRate(seen, bounds),
  ];
  for (const line of judged.flatMap(({ lines }) => lines)) print(line);
  print(toTotals(tally));
  return [...complaints, ...judged.flatMap((each) => each.complaints), ...listLeft(samples, faults)];
}

/** Instances that ended by themselves, and connections that nobody uses. */
function listLeft({ lives, countSockets }: Samples, faults: Faults): string[] {
  const gone = lives.filter(({ program }) => !program.isRunning() && !faults.hasEnded(program));
  const idle = countSockets();
  return [
    ...gone.map(({ place }) => `instance ${place + 1} ended by itself`),
    ...(Math.max(...idle) > MOST_IDLE_SOCKETS ? [`${idle.join(", ")} sockets after everybody has left`] : []),
  ];
}

function describe(tally: Tally, { lives, store }: Samples, faults: Faults): string {
  const running = lives.filter(({ program }) => program.isRunning());
  const list = (figure: Figure, size: number) =>
    running.map(({ figures }) => Math.round((figures[figure].at(-1)?.value ?? 0) / size)).join(" ");
  const waits = tally.waitsMs.splice(0);
  const pick = (share: number) => (pickShare(waits, share) / 1_000).toFixed(1);
  const { answers = 0, others = 0, bytes = 0 } = store.at(-1) ?? {};
  return [
    toTotals(tally),
    `waits of ${pick(0.5)} and ${pick(0.99)} s`,
    `memory ${list("memory", MB)} MB and ${list("cached", MB)} MB of cached answers, ${list("sockets", 1)} sockets`,
    `Redis ${answers} + ${others} keys, ${Math.round(bytes / MB)} MB`,
    `readers ${Math.round(process.memoryUsage.rss() / MB)} MB`,
    ...(faults.current() === null ? [] : [faults.current()]),
  ].join("; ");
}

function toTotals({ cells, rows, signIns, ended, failures, complaints }: Tally): string {
  const failed = Object.entries(failures).map(([code, count]) => `${count} ${code}`);
  return (
    `${cells} cells and ${rows} rows right, ${signIns} sign-ins, ${ended} pairings ended, ` +
    `failed at first: ${failed.join(", ") || "none"}; ${complaints.length} complaints`
  );
}
