import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { type CellOutcome, type Delivery, toOutcome, withoutFormats } from "../office/deliveries";
import { createOfficeRuntime } from "../office/runtime";

/** A formula of a cell; omitted arguments are null, trailing ones are left out. */
export interface Formula {
  name: string;
  given: readonly unknown[];
}

/** The part of the add-in's session that the pane uses, found in the same way. */
interface Session {
  refresh(): Promise<{ failures: readonly unknown[] }>;
  change(settings: { requestLimit: number }): void;
  pauses: { list(): readonly unknown[] };
}

export type Page = Awaited<ReturnType<typeof openPage>>;

const WEB = join(__dirname, "../../dist/web");
/** What a cell shows, as the numbers that other formulas read. */
const toNumbers = (delivery: Delivery): CellOutcome => withoutFormats(toOutcome(delivery));

const CALL = { stream: true, cancelable: true, allowErrors: true };
const CHUNKS = "webpackChunkfeed";

/** Adds a script to the built add-in that finds the session among its modules. */
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

/** Opens a paired page of the built add-in on the genuine Office runtime, with a cell for each formula. */
export async function openPage(origin: string, bearer: string) {
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
  const pending = runtime.call("STATUS", ["pending", null], CALL);
  const cells: number[] = [];
  const isQuiet = () =>
    cells.every((cell) => runtime.results(cell).length > 0) &&
    readPending(runtime.results(pending).at(-1)?.value) === 0 &&
    session.pauses.list().length === 0;
  return {
    /** Types formulas in one message of the host; gives their cells. */
    type(formulas: readonly Formula[]): number[] {
      const typed = runtime.callMany(
        formulas.map(({ name, given }) => ({ ...CALL, functionName: name, parameters: [...given] })),
      );
      cells.push(...typed);
      return typed;
    },
    /** The current content of a cell; nothing while it is busy. */
    read(cell: number): CellOutcome | undefined {
      const delivery = runtime.results(cell).at(-1);
      return delivery && toNumbers(delivery);
    },
    /** All that a cell has shown, oldest first, from a number of its contents on. */
    readAll: (cell: number, from = 0): CellOutcome[] => runtime.results(cell).slice(from).map(toNumbers),
    /**
     * Waits until nothing is pending, and gives whether that happened in time.
     * @param macrotasks How many messages to the host in a row must find it so, since large tables arrive in parts.
     */
    async settle(limitMs: number, macrotasks = 2): Promise<boolean> {
      const endMs = performance.now() + limitMs;
      const version = () => runtime.next(runtime.call("STATUS", ["version", null], CALL));
      let quietScheduler = 0;
      do {
        await version(); // earlier values have been sent with it
        quietScheduler = isQuiet() ? quietScheduler + 1 : 0;
      } while (quietScheduler < macrotasks && performance.now() < endMs);
      return quietScheduler === macrotasks;
    },
    /** Does what Refresh all does; gives the number of failed queries. */
    async refresh(): Promise<number> {
      const { failures } = await session.refresh();
      return failures.length;
    },
    close() {
      runtime.cancel(pending, ...cells);
      runtime.dispose();
    },
  };
}

function readPending(value: unknown): unknown {
  return Array.isArray(value) ? value[0]?.[0] : value;
}
