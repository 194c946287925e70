import { BusyRefusal } from "../../../companion/refusal";

/** Requests at once of a family's queries; the batches of companies have as many of their own. */
export const MOST_UNDER_WAY = 6;
/** A request that takes longer holds nobody's place: the provider may hang. */
const LONGEST_SLOT_MS = 5000;
/** Queue limit of one reader. */
export const LONGEST_QUEUE = 200;
/** Longest wait in the queue; with the request itself it stays below the pane's deadline. */
export const QUEUE_WAIT_MS = 10_000;

/** Roughly the time of a full queue at the default limit of a firm. */
const RETRY_MS = 20_000;

/** The reader's own queue is full; other readers are not affected. */
export class QueueFull extends BusyRefusal {
  constructor() {
    super((s) => `You wait for as much of the provider as one may: try again in ${s} s.`, RETRY_MS);
  }
}

/** The queue of this instance's readers is full. */
export const refuseFull = () =>
  new BusyRefusal(
    (s) => `All wait for as much of the provider as this instance may queue: try again in ${s} s.`,
    RETRY_MS,
  );

/** Where nothing is foreseen: with the pane's backoff this allows two retries before cells show an error. */
const NOT_YET_MS = 6000;

/** Some of what waits is served earlier, and cells should show it. */
const LONGEST_NOT_YET_MS = 10_000;

/** A retry is asked for so much before its time: an early reader waits in the queue, a late one sees its data late. */
const EARLY_MS = 5000;

/** The firm's limit is exceeded, and this query is not reached in time. */
export class NotYet extends BusyRefusal {
  /** @param expectedMs When it is likely to be reached, in milliseconds; default unknown. */
  constructor(expectedMs = NOT_YET_MS + EARLY_MS) {
    const waitMs = Math.min(LONGEST_NOT_YET_MS, Math.max(1000, expectedMs - EARLY_MS));
    super((s) => `Others are before you at the provider: try again in ${s} s.`, waitMs);
  }
}

/**
 * Creates the places of requests under way. One that takes long holds its place no longer.
 * @param onFree Called for each place that gets free.
 */
export function createSlots(onFree: () => void) {
  let underWay = 0;
  return {
    count: () => underWay,
    isFree: () => underWay < MOST_UNDER_WAY,
    async run<T>(work: () => Promise<T>): Promise<T> {
      underWay += 1;
      let isHeld = true;
      const leave = () => {
        if (!isHeld) return;
        isHeld = false;
        underWay -= 1;
        onFree();
      };
      const timer = setTimeout(leave, LONGEST_SLOT_MS).unref();
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        leave();
      }
    },
  };
}
