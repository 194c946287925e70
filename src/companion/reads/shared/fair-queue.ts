import { Refusal } from "../../refusal";
import { NO_SUBSCRIBERS, type Subscribers } from "./single-flight";

/** About as long as a full queue takes at the default of what a firm asks for in a minute, be nobody else there. */
const RETRY_SECONDS = 20;

/** Somebody's own queue to the provider is full: nobody else is refused by it. */
export class QueueFull extends Refusal {
  constructor() {
    const sentence = `You wait for as much of the provider as one may: try again in ${RETRY_SECONDS} s.`;
    super(429, sentence, "FEED_RATE_LIMITED", RETRY_SECONDS);
  }
}

/** With the pane's own waits, so that it asks twice more before its cells say so. */
const NOT_YET_SECONDS = 6;

/** More is asked for than the firm's limit lets through: everybody's turn comes, and this one's has not yet. */
export class NotYet extends Refusal {
  constructor() {
    const sentence = `Others are before you at the provider: try again in ${NOT_YET_SECONDS} s.`;
    super(429, sentence, "FEED_RATE_LIMITED", NOT_YET_SECONDS);
  }
}

/** How many queries of one family of data, and of this instance, are under way at once. */
export const MOST_AT_ONCE = 6;
/** How many queries of one reader may wait. */
export const LONGEST_QUEUE = 200;
/** How long one waits for its turn: with that of its request it stays below the pane's patience. */
export const LONGEST_WAIT_MS = 10_000;

/**
 * The way to the provider, for which readers queue fairly: one who asks for much holds up none who asks for little.
 *
 * | work is    | on                                           | becomes                               |
 * |------------|----------------------------------------------|---------------------------------------|
 * | new        | a full queue of its reader                   | refused: QueueFull                    |
 * | new        | any other                                    | waiting, for reader and subscribers   |
 * | waiting    | less than six under way, and its reader next | under way; its reader goes to the end |
 * | waiting    | ten seconds                                  | refused: NotYet                       |
 * | under way  | its end                                      | over; the next one starts             |
 */
interface FairQueue {
  /**
   * @param who Whose turn it takes.
   * @param subscribers Whose turn it takes as well; default nobody's.
   * @param waitMs Default 10 seconds.
   * @throws QueueFull where many of that one's wait already; NotYet where its turn does not come in time.
   */
  run<T>(who: string, work: () => Promise<T>, subscribers?: Subscribers, waitMs?: number): Promise<T>;
}

type Start = () => void;

export function createFairQueue(): FairQueue {
  const line = createLine();
  let underWay = 0;
  const startNext = () => {
    const start = underWay < MOST_AT_ONCE ? line.takeNext() : undefined;
    if (start === undefined) return;
    underWay += 1;
    start();
  };
  const waitInQueue = (who: string, subscribers: Subscribers, waitMs: number) =>
    new Promise<void>((resolve, reject) => {
      let isWaiting = true;
      const timer = setTimeout(() => {
        isWaiting = false;
        line.leave(start);
        reject(new NotYet());
      }, waitMs);
      const start = () => {
        isWaiting = false;
        clearTimeout(timer);
        resolve();
      };
      line.add(who, start);
      subscribers.each((other) => isWaiting && line.hasPlace(other) && line.add(other, start));
      startNext();
    });
  return {
    async run(who, work, subscribers = NO_SUBSCRIBERS, waitMs = LONGEST_WAIT_MS) {
      if (!line.hasPlace(who)) throw new QueueFull();
      await waitInQueue(who, subscribers, waitMs);
      try {
        return await work();
      } finally {
        underWay -= 1;
        startNext();
      }
    },
  };
}

/** Who waits, in the order of their turns. */
function createLine() {
  const waiting = new Map<string, Set<Start>>();
  const leave = (start: Start) => {
    for (const [who, own] of waiting) if (own.delete(start) && own.size === 0) waiting.delete(who);
  };
  return {
    hasPlace: (who: string) => (waiting.get(who)?.size ?? 0) < LONGEST_QUEUE,
    add: (who: string, start: Start) => waiting.set(who, (waiting.get(who) ?? new Set()).add(start)),
    leave,
    /** Takes the first of the next in turn, who goes behind the others. */
    takeNext(): Start | undefined {
      const [next] = waiting;
      if (next === undefined) return undefined;
      const [who, own] = next;
      const [start] = own as Iterable<Start> as [Start];
      waiting.delete(who);
      waiting.set(who, own);
      leave(start);
      return start;
    },
  };
}
