import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { type CellOutcome, toOutcome } from "../office/deliveries";
import { createOfficeRuntime } from "../office/runtime";

/** A formula as a cell has it; arguments that are not given are null, those at the end are left out. */
export interface Formula {
  name: string;
  given: readonly unknown[];
}

/** A page of the built add-in on the genuine Office runtime, paired, with a cell for each formula. */
export interface Page {
  /** Types formulas, in one message of the host; gives their cells. */
  type(formulas: readonly Formula[]): number[];
  /** What a cell shows by now; nothing as long as it is busy. */
  read(cell: number): CellOutcome | undefined;
  /**
   * Waits until nothing is under way, and gives whether that came about in time.
   *
   * @param turns how many messages to the host in a row must find it so, since large tables are shown in parts
   */
  settle(limitMs: number, turns?: number): Promise<boolean>;
  /** What the command Refresh all does; gives how many queries it could not refresh. */
  refresh(): Promise<number>;
  close(): void;
}

/** What the pane has of the add-in's session; the script of the pane would find it likewise. */
interface Session {
  refresh(): Promise<{ failures: readonly unknown[] }>;
  change(settings: { requestLimit: number }): void;
  pauses: { list(): readonly unknown[] };
}

const WEB = join(__dirname, "../../dist/web");
const CALL = { stream: true, cancelable: true, allowErrors: true };
const CHUNKS = "webpackChunkfeed_for_excel";

/** Adds a script of the add-in's own build, which looks for the session among its modules. */
const FIND_SESSION = `(() => {
  let session;
  self.${CHUNKS}.push([["differential"], {}, (load) => {
    for (const id of Object.keys(load.m))
      for (const exported of Object.values(load(id)))
        if (exported && typeof exported === "object" && "refreshing" in exported) session = exported;
  }]);
  return session;
})()`;

let bundle: string | undefined;

/** Formulas whose names later versions of the add-in have changed. */
const LATER_NAMES: Record<string, string> = { FIND: "COMPANY.FIND", ID: "COMPANY.ID" };

export async function openPage(origin: string, bearer: string): Promise<Page> {
  if (!existsSync(join(WEB, "functions.js"))) throw new Error("Build first: npm run build");
  bundle ??= readFileSync(join(WEB, "functions.js"), "utf8");
  const runtime = createOfficeRuntime({ origin });
  const storage = runtime.evaluate("localStorage") as { setItem(key: string, value: string): void };
  storage.setItem(PAIRING_STORAGE_KEY, bearer);
  runtime.load(bundle);
  await runtime.ready;
  const session = runtime.evaluate(FIND_SESSION) as Session | undefined;
  if (session === undefined) throw new Error("No module of functions.js has the session, by its part `refreshing`.");
  session.change({ requestLimit: Number.MAX_SAFE_INTEGER });
  const pending = runtime.call("STATUS", ["pending"], CALL);
  const cells: number[] = [];
  const isQuiet = () =>
    cells.every((cell) => runtime.results(cell).length > 0) &&
    readPending(runtime.results(pending).at(-1)?.value) === 0 &&
    session.pauses.list().length === 0;
  return {
    type(formulas) {
      const calls = formulas.map(({ name, given }) => ({
        ...CALL,
        functionName: toName(name),
        parameters: [...given],
      }));
      const typed = runtime.callMany(calls);
      cells.push(...typed);
      return typed;
    },
    read(cell) {
      const delivery = runtime.results(cell).at(-1);
      return delivery && toOutcome(delivery);
    },
    async settle(limitMs, turns = 2) {
      const endMs = performance.now() + limitMs;
      const version = () => runtime.next(runtime.call("STATUS", ["version"], CALL));
      let quietScheduler = 0;
      do {
        await version(); // what was set before has left with it
        quietScheduler = isQuiet() ? quietScheduler + 1 : 0;
      } while (quietScheduler < turns && performance.now() < endMs);
      return quietScheduler === turns;
    },
    async refresh() {
      const { failures } = await session.refresh();
      return failures.length;
    },
    close() {
      runtime.cancel(pending, ...cells);
      runtime.dispose();
    },
  };
}

const toName = (name: string): string =>
  bundle?.includes(`"${LATER_NAMES[name]}"`) ? (LATER_NAMES[name] as string) : name;

function readPending(value: unknown): unknown {
  return Array.isArray(value) ? value[0]?.[0] : value;
}
