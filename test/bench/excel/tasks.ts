import type { Page } from "playwright-core";

interface LongestTask {
  /** Without the work of Office.js and of the test's bridge, in milliseconds. */
  ownMs: number;
  /** Our functions with the most time of their own in that task, for whoever wants to shorten it. */
  functions: string[];
}

/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Of a profile: its chunks come from another thread than the one that it samples. */
  id?: string;
  ts: number;
  dur?: number;
  args: {
    name?: string;
    data?: {
      startTime?: number;
      timeDeltas?: number[];
      cpuProfile?: { nodes?: ProfileNode[]; samples?: number[] };
    };
  };
}

interface ProfileNode {
  id: number;
  parent?: number;
  callFrame: { functionName: string; url?: string; lineNumber?: number; columnNumber?: number };
}

interface Sample {
  atUs: number;
  tookUs: number;
  node: ProfileNode;
}

const CATEGORIES = [
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-v8.cpu_profiler",
  "blink.user_timing",
  "__metadata",
];
/** The profiler's own start blocks the page. */
const PROFILER_MS = 1_000;
const [BEGIN, END] = ["bench begins", "bench ends"];
const MOST_FUNCTIONS = 5;

/** Traces a page while something is done in it. */
export async function traceLongestTask(page: Page, origin: string, act: () => Promise<void>): Promise<LongestTask> {
  const browser = page.context().browser()!;
  const mark = (name: string) => page.evaluate((each) => void performance.mark(each), name);
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.waitForTimeout(PROFILER_MS);
  await mark(BEGIN);
  await act();
  await mark(END);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return findLongest(traceEvents, origin);
}

function findLongest(events: readonly TraceEvent[], origin: string): LongestTask {
  const main = new Set(
    events.filter(({ args }) => args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const { samples, nodes } = readProfile(events, main);
  const [beginUs = 0, endUs = 0] = [BEGIN, END].map((mark) => events.find(({ name }) => name === mark)?.ts);
  const tasks = events.filter(
    ({ name, pid, tid, ts }) => name === "RunTask" && main.has(`${pid} ${tid}`) && ts > beginUs && ts < endUs,
  );
  let longest: LongestTask = { ownMs: 0, functions: [] };
  for (const { ts, dur = 0 } of tasks) {
    if (dur / 1000 <= longest.ownMs) continue;
    const during = samples.filter(({ atUs }) => atUs >= ts && atUs < ts + dur);
    const foreign = during.filter(({ node }) => !isOurs(node, nodes, origin));
    const ownMs = (dur - foreign.reduce((sum, { tookUs }) => sum + tookUs, 0)) / 1000;
    if (ownMs > longest.ownMs) longest = { ownMs, functions: listFunctions(during, nodes, origin) };
  }
  return longest;
}

/** Reads the profile of the page's own thread; a worker has another one, whose nodes have the same numbers. */
function readProfile(
  events: readonly TraceEvent[],
  main: ReadonlySet<string>,
): { samples: Sample[]; nodes: Map<number, ProfileNode> } {
  const ofMain = new Set<string>();
  const nodes = new Map<number, ProfileNode>();
  const samples: Sample[] = [];
  let atUs = 0;
  for (const { name, args, pid, tid, id } of events) {
    const isMain = main.has(`${pid} ${tid}`);
    if (name === "Profile" && isMain) {
      atUs = args.data?.startTime ?? 0;
      ofMain.add(`${pid} ${id}`);
    }
    if (name !== "ProfileChunk" || !ofMain.has(`${pid} ${id}`)) continue;
    const { cpuProfile, timeDeltas = [] } = args.data ?? {};
    for (const node of cpuProfile?.nodes ?? []) nodes.set(node.id, node);
    cpuProfile?.samples?.forEach((id, index) => {
      const last = samples.at(-1);
      atUs += timeDeltas[index] ?? 0;
      if (last !== undefined) last.tookUs = atUs - last.atUs;
      samples.push({ atUs, tookUs: 0, node: nodes.get(id)! });
    });
  }
  return { samples, nodes };
}

/** Whether a sample is of our scripts, or of the browser itself: layout, style and collecting garbage. */
function isOurs(sampled: ProfileNode, nodes: ReadonlyMap<number, ProfileNode>, origin: string): boolean {
  for (let node: ProfileNode | undefined = sampled; node !== undefined; node = nodes.get(node.parent ?? -1)) {
    const { url = "", functionName } = node.callFrame;
    if (url !== "") return url.startsWith(origin);
    if (functionName === "(root)") break;
  }
  return ["(program)", "(garbage collector)", "(idle)"].includes(sampled.callFrame.functionName);
}

function listFunctions(samples: readonly Sample[], nodes: ReadonlyMap<number, ProfileNode>, origin: string): string[] {
  const counts = new Map<string, number>();
  for (const { node, tookUs } of samples) {
    const { functionName, url = "", lineNumber = 0, columnNumber = 0 } = node.callFrame;
    const place = url === "" ? "" : ` ${url.split("/").at(-1)}:${lineNumber + 1}:${columnNumber + 1}`;
    const text = `${isOurs(node, nodes, origin) ? "" : "host "}${functionName}${place}`;
    counts.set(text, (counts.get(text) ?? 0) + tookUs);
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  return sorted.slice(0, MOST_FUNCTIONS).map(([text, us]) => `${text} ${Math.round(us / 1000)} ms`);
}
