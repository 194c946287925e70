import { beforeAll, expect, it } from "@jest/globals";
import fc from "fast-check";
import { RequestError } from "../../../src/client/errors";
import { createSession } from "../../../src/session/session";
import { installCustomFunctions } from "../../office/custom-functions";
import { createClock } from "../../support/clock";
import { weigh } from "../../support/property";
import { createInvocation, createQuery, type Invocation, openCell, viewOf } from "../streamed-queries";

/** Events of some cells and their queries; small numbers identify cells, queries and values. */
type Command =
  | { kind: "type"; cell: number; queries: readonly number[]; isCancelledFirst: boolean }
  | { kind: "cancel"; cell: number; times: number }
  | { kind: "answer"; query: number; value: number }
  | { kind: "fail"; query: number }
  | { kind: "preview"; query: number }
  | { kind: "advance"; byMs: number }
  | { kind: "refresh" | "callOff" | "settings" };

/** How long a cell may be empty, and how long a query outlives its last cell, milliseconds. */
const CELL_DEADLINE_MS = 30_000;
const GRACE_MS = 1_500;

/** Within it a burst of queries is admitted, and results are delivered together. */
const WINDOW_MS = 50;

type Load = ReturnType<typeof createQuery>["loads"][number];

const createModelQuery = (name: string) => ({
  ...createQuery(name),
  /** The result of its last complete load; null before the first. */
  settled: null as { value: number } | { error: true } | null,
  /** Loads that are neither answered nor ended. */
  open: new Set<Load>(),
  /** How many of its loads the model has seen. */
  met: 0,
  /** Since when it has no cell; null while it has one. */
  leftAtMs: 0 as number | null,
  /** Whether a refresh came since. */
  isGraceOver: false,
});
type ModelQuery = ReturnType<typeof createModelQuery>;

interface ModelCell {
  invocation: Invocation;
  queries: readonly number[];
  typedAtMs: number;
}

/** Cells and queries beside their expected states. */
function createModel() {
  const clock = createClock();
  return {
    session: createSession({ ports: clock.ports, companionUrl: "http://127.0.0.1:9" }),
    clock,
    queries: ["A", "B", "C"].map(createModelQuery),
    /** The live cells, by position. */
    cells: new Map<number, ModelCell>(),
    /** The cancelled cells, with the number of their results then. */
    left: [] as { invocation: Invocation; shown: number }[],
    /** Whether a refresh was cancelled, which may have ended a load. */
    wasCalledOff: false,
  };
}
type Model = ReturnType<typeof createModel>;

/** Performs a command, and checks the expected states. */
async function perform(model: Model, command: Command): Promise<void> {
  run(model, command);
  await model.clock.advance(command.kind === "advance" ? command.byMs : WINDOW_MS);
  meetLoads(model);
  verify(model);
}

function run(model: Model, command: Command): void {
  const { session, queries } = model;
  if (command.kind === "type") type(model, command);
  else if (command.kind === "cancel") cancel(model, command.cell, command.times);
  else if (command.kind === "answer") settle(model, command.query, { value: command.value });
  else if (command.kind === "fail") settle(model, command.query, { error: true });
  else if (command.kind === "preview") preview(model, command.query);
  else if (command.kind === "refresh") refresh(model);
  else if (command.kind === "settings") session.change({ numberProperties: !session.settings.numberProperties });
  else if (command.kind === "callOff") {
    model.wasCalledOff ||= queries.some(({ open }) => open.size > 0);
    session.refreshing.cancel();
  }
}

/** A query without cells need not use its grace period. */
function refresh({ session, queries }: Model): void {
  for (const query of queries) query.isGraceOver = query.leftAtMs !== null;
  void session.refresh();
}

function type(model: Model, { cell, queries, isCancelledFirst }: Command & { kind: "type" }): void {
  const invocation = createInvocation();
  const former = model.cells.get(cell);
  if (isCancelledFirst) cancel(model, cell, 1);
  openCell(model.session, invocation, () => viewOf(...queries.map((at) => model.queries[at]!.query)));
  model.cells.set(cell, { invocation, queries, typedAtMs: model.clock.nowMs() });
  for (const at of queries) Object.assign(model.queries[at]!, { leftAtMs: null, isGraceOver: false });
  if (!isCancelledFirst && former !== undefined) leave(model, former, 1);
}

function cancel(model: Model, at: number, times: number): void {
  const cell = model.cells.get(at);
  if (cell === undefined || times === 0) return;
  model.cells.delete(at);
  leave(model, cell, times);
}

function leave(model: Model, { invocation, queries }: ModelCell, times: number): void {
  for (let time = 0; time < times; time++) invocation.onCanceled();
  model.left.push({ invocation, shown: invocation.shown.length });
  const wantedQueries = new Set([...model.cells.values()].flatMap((each) => each.queries));
  for (const at of queries) if (!wantedQueries.has(at)) model.queries[at]!.leftAtMs = model.clock.nowMs();
}

function settle(model: Model, at: number, outcome: { value: number } | { error: true }): void {
  const query = model.queries[at]!;
  const load = [...query.open].at(-1);
  if (load === undefined) return;
  query.open.delete(load);
  if ("value" in outcome) load.answer(outcome.value);
  else load.fail(new RequestError("FEED_SERVER_FAILED", "down; refresh later"));
  const hasValue = query.settled !== null && "value" in query.settled;
  if (!load.context.signal.aborted && ("value" in outcome || !hasValue)) query.settled = outcome;
}

/** A formula in the value preview shows something at once, and sends nothing. */
function preview({ session, queries }: Model, at: number): void {
  const invocation = createInvocation(true);
  const { query, loads, settled } = queries[at]!;
  const before = loads.length;
  openCell(session, invocation, () => viewOf(query));
  expect(invocation.shown).toHaveLength(1);
  if (settled !== null && "value" in settled) expect(invocation.shown).toEqual([[[settled.value]]]);
  invocation.onCanceled();
  expect(loads).toHaveLength(before);
}

function meetLoads({ queries }: Model): void {
  for (const query of queries) {
    for (const load of query.loads.slice(query.met)) query.open.add(load);
    query.met = query.loads.length;
  }
}

function verify(model: Model): void {
  const nowMs = model.clock.nowMs();
  for (const cell of model.cells.values()) verifyCell(model, cell, nowMs);
  for (const { invocation, shown } of model.left) expect(invocation.shown).toHaveLength(shown);
  for (const query of model.queries) verifyLoads(model, query, nowMs);
}

function verifyCell(
  { queries }: Model,
  { invocation, queries: cellQueries, typedAtMs }: ModelCell,
  nowMs: number,
): void {
  const { shown } = invocation;
  const texts = shown.map(toText);
  for (const [index, text] of texts.entries()) expect(text).not.toBe(texts[index - 1]);
  if (nowMs - typedAtMs >= CELL_DEADLINE_MS) expect(shown).not.toEqual([]);
  const all = cellQueries.map((at) => queries[at]!);
  const values = all.flatMap(({ settled }) => (settled !== null && "value" in settled ? [settled.value] : []));
  if (values.length === all.length) expect(texts.at(-1)).toBe(toText([values]));
  else if (all.every(({ settled, open }) => settled !== null && open.size === 0)) {
    expect(texts.at(-1)).toMatch(/^FEED_SERVER_FAILED: /);
  } else expect(texts.at(-1) ?? "FEED_").toMatch(/^FEED_/); // never a partial or an old value
}

const toText = (shown: unknown): string => (Array.isArray(shown) ? JSON.stringify(shown) : (shown as Error).message);

/** A load ends with its last cell, after the grace period and not before, except by a refresh. */
function verifyLoads(model: Model, { open, leftAtMs, isGraceOver }: ModelQuery, nowMs: number): void {
  for (const load of [...open]) {
    const { aborted } = load.context.signal;
    if (leftAtMs !== null && nowMs - leftAtMs > GRACE_MS) expect(aborted).toBe(true);
    else if (!model.wasCalledOff && !isGraceOver) expect(aborted).toBe(false);
    if (aborted) open.delete(load);
  }
}

/** Cancels all cells: nothing may be left of them. */
async function end(model: Model): Promise<void> {
  for (const at of [...model.cells.keys()]) cancel(model, at, 2);
  await model.clock.advance(GRACE_MS + WINDOW_MS);
  meetLoads(model);
  verify(model);
  const { session, clock } = model;
  expect([session.feed.queryCache.size(), session.calls.list().length, clock.timers()]).toEqual([0, 0, 0]);
  session.feed.queryCache.close();
}

beforeAll(installCustomFunctions);

const cell = fc.nat(2);
const query = fc.nat(2);
const queries = fc.uniqueArray(query, { minLength: 1, maxLength: 2 });
const kind = <Kind extends Command["kind"]>(...kinds: Kind[]) => fc.constantFrom(...kinds);

const command: fc.Arbitrary<Command> = fc.oneof(
  weigh(5, { kind: kind("type"), cell, queries, isCancelledFirst: fc.boolean() }),
  weigh(2, { kind: kind("cancel"), cell, times: fc.nat(3) }),
  weigh(5, { kind: kind("answer"), query, value: fc.nat(2) }),
  weigh(2, { kind: kind("fail"), query }),
  weigh(1, { kind: kind("preview"), query }),
  weigh(2, { kind: kind("refresh", "callOff", "settings") }),
  weigh(3, { kind: kind("advance"), byMs: fc.constantFrom(1_000, 1_501, 30_000) }),
);

it("a formula in its cell shows its answers alone and leaks nothing in any order of entry, cancel, answer and refresh", async () => {
  const law = fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 16 }), async (commands) => {
    const model = createModel();
    for (const each of commands) await perform(model, each);
    await end(model);
  });
  await fc.assert(law, { seed: 11, numRuns: 60 });
});
