import { expect } from "@jest/globals";
import { RequestError } from "../../../src/feed/errors";
import { createSession, type Session } from "../../../src/session/session";
import { type Clock, createClock } from "../../support/clock";
import { createInvocation, createQuestion, type Invocation, openCell, viewOf } from "../streamed-queries";

/** What happens to some cells and their questions; cells, questions and values are told by small numbers. */
export type Command =
  | { kind: "type"; cell: number; questions: readonly number[]; isCancelledFirst: boolean }
  | { kind: "cancel"; cell: number; times: number }
  | { kind: "answer"; question: number; value: number }
  | { kind: "fail"; question: number }
  | { kind: "preview"; question: number }
  | { kind: "advance"; byMs: number }
  | { kind: "refresh" | "callOff" | "settings" };

/** How long a cell may be empty, and how long a question outlives its last cell, milliseconds. */
const CELL_DEADLINE_MS = 30_000;
const GRACE_MS = 1_500;

/** Within it a burst of questions is let through, and what has been found for some cells waits for the others. */
const WINDOW_MS = 50;

type Load = ReturnType<typeof createQuestion>["loads"][number];

interface ModelQuestion extends ReturnType<typeof createQuestion> {
  /** What its last whole load came to; null before the first. */
  settled: { value: number } | { error: true } | null;
  /** Loads that have neither been answered nor ended. */
  open: Set<Load>;
  /** How many of its loads the model has met. */
  met: number;
  /** Since when no cell asks it; null while one does. */
  leftAtMs: number | null;
  /** Whether a refresh came since. */
  isGraceOver: boolean;
}

interface ModelCell {
  invocation: Invocation;
  questions: readonly number[];
  typedAtMs: number;
}

/** Cells and questions beside what they should be. */
export interface Model {
  session: Session;
  clock: Clock;
  questions: ModelQuestion[];
  /** Those that live, by their places. */
  cells: Map<number, ModelCell>;
  /** Those that were left, with how much each had shown by then. */
  left: { invocation: Invocation; shown: number }[];
  /** Whether a refresh has been called off: then a load may have ended for that. */
  wasCalledOff: boolean;
}

export function createModel(): Model {
  const clock = createClock();
  return {
    session: createSession({ ports: clock.ports, companionUrl: "http://127.0.0.1:9" }),
    clock,
    questions: ["A", "B", "C"].map((name) => ({
      ...createQuestion(name),
      ...{ settled: null, open: new Set<Load>(), met: 0, leftAtMs: 0, isGraceOver: false },
    })),
    cells: new Map(),
    left: [],
    wasCalledOff: false,
  };
}

/** Does a command, and holds everything against what should be then. */
export async function perform(model: Model, command: Command): Promise<void> {
  run(model, command);
  await model.clock.advance(command.kind === "advance" ? command.byMs : WINDOW_MS);
  meetLoads(model);
  judge(model);
}

function run(model: Model, command: Command): void {
  const { session, questions } = model;
  if (command.kind === "type") type(model, command);
  else if (command.kind === "cancel") cancel(model, command.cell, command.times);
  else if (command.kind === "answer") settle(model, command.question, { value: command.value });
  else if (command.kind === "fail") settle(model, command.question, { error: true });
  else if (command.kind === "preview") preview(model, command.question);
  else if (command.kind === "refresh") refresh(model);
  else if (command.kind === "settings") session.change({ numberProperties: !session.settings.numberProperties });
  else if (command.kind === "callOff") {
    model.wasCalledOff ||= questions.some(({ open }) => open.size > 0);
    session.refreshing.cancel();
  }
}

/** What nobody asks any more need not have its grace. */
function refresh({ session, questions }: Model): void {
  for (const question of questions) question.isGraceOver = question.leftAtMs !== null;
  void session.refresh();
}

function type(model: Model, { cell, questions, isCancelledFirst }: Command & { kind: "type" }): void {
  const invocation = createInvocation();
  const former = model.cells.get(cell);
  if (isCancelledFirst) cancel(model, cell, 1);
  openCell(model.session, invocation, () => viewOf(...questions.map((at) => model.questions[at]!.question)));
  model.cells.set(cell, { invocation, questions, typedAtMs: model.clock.nowMs() });
  for (const at of questions) Object.assign(model.questions[at]!, { leftAtMs: null, isGraceOver: false });
  if (!isCancelledFirst && former !== undefined) leave(model, former, 1);
}

function cancel(model: Model, at: number, times: number): void {
  const cell = model.cells.get(at);
  if (cell === undefined || times === 0) return;
  model.cells.delete(at);
  leave(model, cell, times);
}

function leave(model: Model, { invocation, questions }: ModelCell, times: number): void {
  for (let time = 0; time < times; time++) invocation.onCanceled();
  model.left.push({ invocation, shown: invocation.shown.length });
  const asked = new Set([...model.cells.values()].flatMap((each) => each.questions));
  for (const at of questions) if (!asked.has(at)) model.questions[at]!.leftAtMs = model.clock.nowMs();
}

function settle(model: Model, at: number, outcome: { value: number } | { error: true }): void {
  const question = model.questions[at]!;
  const load = [...question.open].at(-1);
  if (load === undefined) return;
  question.open.delete(load);
  if ("value" in outcome) load.answer(outcome.value);
  else load.fail(new RequestError("FEED_SERVER_FAILED", "down; refresh later"));
  const hasValue = question.settled !== null && "value" in question.settled;
  if (!load.context.signal.aborted && ("value" in outcome || !hasValue)) question.settled = outcome;
}

/** A formula that is only being typed shows something at once, and asks nothing. */
function preview({ session, questions }: Model, at: number): void {
  const invocation = createInvocation(true);
  const { question, loads, settled } = questions[at]!;
  const before = loads.length;
  openCell(session, invocation, () => viewOf(question));
  expect(invocation.shown).toHaveLength(1);
  if (settled !== null && "value" in settled) expect(invocation.shown).toEqual([[[settled.value]]]);
  invocation.onCanceled();
  expect(loads).toHaveLength(before);
}

function meetLoads({ questions }: Model): void {
  for (const question of questions) {
    for (const load of question.loads.slice(question.met)) question.open.add(load);
    question.met = question.loads.length;
  }
}

function judge(model: Model): void {
  const nowMs = model.clock.nowMs();
  for (const cell of model.cells.values()) judgeCell(model, cell, nowMs);
  for (const { invocation, shown } of model.left) expect(invocation.shown).toHaveLength(shown);
  for (const question of model.questions) judgeLoads(model, question, nowMs);
}

function judgeCell({ questions }: Model, { invocation, questions: asked, typedAtMs }: ModelCell, nowMs: number): void {
  const { shown } = invocation;
  const texts = shown.map(toText);
  for (const [index, text] of texts.entries()) expect(text).not.toBe(texts[index - 1]);
  if (nowMs - typedAtMs >= CELL_DEADLINE_MS) expect(shown).not.toEqual([]);
  const all = asked.map((at) => questions[at]!);
  const values = all.flatMap(({ settled }) => (settled !== null && "value" in settled ? [settled.value] : []));
  if (values.length === all.length) expect(texts.at(-1)).toBe(toText([values]));
  else if (all.every(({ settled, open }) => settled !== null && open.size === 0)) {
    expect(texts.at(-1)).toMatch(/^FEED_SERVER_FAILED: /);
  } else expect(texts.at(-1) ?? "FEED_").toMatch(/^FEED_/); // never a part, nor a value of before
}

const toText = (shown: unknown): string => (Array.isArray(shown) ? JSON.stringify(shown) : (shown as Error).message);

/** A load ends with the last cell that wants it, after its grace and not before, but for a refresh. */
function judgeLoads(model: Model, { open, leftAtMs, isGraceOver }: ModelQuestion, nowMs: number): void {
  for (const load of [...open]) {
    const { aborted } = load.context.signal;
    if (leftAtMs !== null && nowMs - leftAtMs > GRACE_MS) expect(aborted).toBe(true);
    else if (!model.wasCalledOff && !isGraceOver) expect(aborted).toBe(false);
    if (aborted) open.delete(load);
  }
}

/** Leaves all cells: nothing must be left of them. */
export async function end(model: Model): Promise<void> {
  for (const at of [...model.cells.keys()]) cancel(model, at, 2);
  await model.clock.advance(GRACE_MS + WINDOW_MS);
  meetLoads(model);
  judge(model);
  const { session, clock } = model;
  expect([session.feed.watch.size(), session.calls.list().length, clock.timers()]).toEqual([0, 0, 0]);
  session.feed.watch.close();
}
