import { RequestError } from "../client/errors";
import { msg } from "../client/messages";
import type { Wait, Waiter } from "../feed/waits";
import type { Task } from "../session/scheduler";
import { CELL_DEADLINE_MS, type Session } from "../session/session";
import { type Cell, type Output, toCellError } from "./cells";

export type Invocation = CustomFunctions.StreamingInvocation<unknown[][]>;

/** Whether a formula is only being typed. The typings lack the member, and older hosts have none. */
export function isPreview(invocation: Invocation): boolean {
  return Boolean((invocation as { isInValuePreview?: unknown }).isInValuePreview);
}

/** The error of a cell without an answer for too long. */
export const LATE = new RequestError(
  "FEED_TIMED_OUT",
  msg`no answer within ${CELL_DEADLINE_MS / 1_000} seconds; it shows when it comes, or refresh later`,
);

/** Writes a cell's output: each changed value, and a timeout error after too long a wait. */
export class CellWriter implements Task, Waiter {
  /** The last output; null before the first. */
  shown: Output | null = null;
  #wait: Wait | null = null;
  /** Whether the last output waits for the host. */
  #isDue = false;

  constructor(
    private readonly session: Session,
    private readonly invocation: Invocation,
  ) {}

  /** The query goes on after the timeout error, and a later answer still shows. */
  beginWait(): void {
    if (this.shown === null) this.#wait = this.session.waits.begin(this);
  }

  /** Rows of the answer have come: the wait for the next ones begins. */
  beginWaitAnew(): void {
    this.#endWait();
    this.beginWait();
  }

  late(): void {
    this.write(toCellError(LATE));
  }

  write(value: Output): void {
    this.#endWait();
    if (this.shown !== null && isEqual(this.shown, value)) return;
    this.shown = value;
    if (this.#isDue) return;
    this.#isDue = true;
    if (isPreview(this.invocation)) this.run();
    else this.session.scheduler.finish(this);
  }

  run(): void {
    const isDue = this.#isDue;
    this.#isDue = false; // also where the host throws
    if (isDue) this.invocation.setResult(this.shown as unknown[][]);
  }

  end(): void {
    this.#endWait();
    this.#isDue = false;
  }

  #endWait(): void {
    this.#wait?.end(this);
    this.#wait = null;
  }
}

/** Whether two outputs show the same. */
export function isEqual(one: Output, other: Output): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return isSameCell(one as Cell, other as Cell);
  if (one.length !== other.length || one[0]?.length !== other[0]?.length) return false;
  return one.every((row, r) => row.every((cell, c) => isSameCell(cell, other[r]?.[c])));
}

/** Data types are equal where all properties are; a later figure is written again, since its card has the time. */
function isSameCell(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  if (!(one instanceof CustomFunctions.Error) || !(other instanceof CustomFunctions.Error)) {
    return JSON.stringify(one) === JSON.stringify(other);
  }
  return one.code === other.code && one.message === other.message;
}
