import type { ProviderQuery } from "../../../companion/feature";
import type { ProviderAnswer } from "../../../companion/relay/answer";
import type { ProviderClient } from "../../relay/provider-client";
import { traced, traceShared } from "../../reporting/trace";
import { createFairQueue, type Queued } from "./fair-queue";
import { createSlots, LONGEST_QUEUE, NotYet, QUEUE_WAIT_MS, QueueFull } from "./queue-limits";
import type { Reader } from "./result";

/**
 * Sends a query to the provider in its turn.
 * @param waitMs Default 10 seconds.
 * @throws QueueFull where the queue of the load's first reader is full; NotYet where it is not reached in time.
 */
export type Send = (query: ProviderQuery, waitMs?: number) => Promise<ProviderAnswer>;

/** By {@link createQueryQueue}. */
export type QueryQueue = ReturnType<typeof createQueryQueue>;

/**
 * A load and its readers.
 *
 * | state      | event                                        | next                                  |
 * |------------|----------------------------------------------|---------------------------------------|
 * | new        | its first reader's queue is full             | refused: QueueFull                    |
 * | new        | that queue has room                          | waiting, in the queues of its readers |
 * | waiting    | a reader joins                               | waiting in that reader's queue too    |
 * | waiting    | fewer than six under way, a reader is next   | under way; that reader goes to the end |
 * | waiting    | ten seconds have passed                      | refused: NotYet                       |
 * | under way  | it ends, or has taken five seconds           | the next one starts                   |
 */
interface Load extends Queued {
  result?: Promise<unknown>;
  /** Present once it waits. */
  start?: () => void;
}

/** Creates the queue of one family's queries. Companies of several readers are joined by the batcher instead. */
export function createQueryQueue({ load }: ProviderClient) {
  const loads = new Map<string, Load>();
  const queue = createFairQueue<Load>();
  const startNext = () => {
    if (slots.isFree()) queue.takeNext()?.start?.();
  };
  const slots = createSlots(startNext);
  const hasPlace = (who: string) => queue.sizeOf(who) < LONGEST_QUEUE;
  const send = async (waiting: Load, who: string, query: ProviderQuery, waitMs: number) => {
    if (!hasPlace(who)) throw new QueueFull();
    return new Promise<ProviderAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.remove(waiting);
        reject(new NotYet());
      }, waitMs);
      waiting.start = () => {
        clearTimeout(timer);
        resolve(slots.run(() => traceShared("query", [waiting], () => load(query))));
      };
      for (const each of waiting.readers.keys()) if (hasPlace(each)) queue.add(each, waiting);
      startNext();
    });
  };
  const join = <T>(key: string, who: string, start: (send: Send) => Promise<T>): Promise<T> => {
    const same = loads.get(key);
    const joined: Load = same ?? { readers: new Map() };
    if (!joined.readers.has(who)) {
      joined.readers.set(who, traced());
      if (queue.has(joined) && hasPlace(who)) queue.add(who, joined);
    }
    if (same === undefined) {
      loads.set(key, joined);
      const sendOwn: Send = (query, waitMs = QUEUE_WAIT_MS) => send(joined, who, query, waitMs);
      joined.result = start(sendOwn).finally(() => loads.delete(key));
    }
    return joined.result as Promise<T>;
  };
  return {
    /**
     * Joins the load of a key, also while it waits, or starts it.
     * @param start Sends one query at most.
     */
    join,
    /** Sends a query by itself; equal ones of readers with equal rights share one request. */
    send({ who, className }: Pick<Reader, "who" | "className">, query: ProviderQuery, waitMs?: number) {
      const { method, path, body = "" } = query;
      const key = JSON.stringify([className, method, path, body.toString()]);
      return join(key, who, (send) => send(query, waitMs));
    },
  };
}
