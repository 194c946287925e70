import { EventEmitter, once } from "node:events";
import { type ChainableCommander, Redis, type RedisOptions } from "ioredis";
import { Refusal } from "../../refusal";
import type { Standing } from "../../stores";

/** How long who can go on without the server waits for it. */
const ANSWER_MS = 400;
/** How long anybody waits who cannot, or who asks before it has answered at all. */
const PATIENCE_MS = 2000;
/** What is read when it answers again may be long: all pairings. */
const JOIN_MS = 5000;
const BEAT_MS = 1000;
/** A connection on which nothing comes for so long, though it is asked each second, is made anew. */
const DEAD_MS = 3000;

/** The way to the server that instances share, which may be slow or gone at any time. */
export interface Link {
  commands: Redis;
  /** Hears what is published; it asks nothing. */
  subscriber: Redis;
  /** Asks the server, or does without: at once while it is known not to answer, else after 400 ms. */
  attempt<T>(run: (redis: Redis) => Promise<T>, alone: () => T | Promise<T>): Promise<T>;
  /**
   * Asks what nobody else can answer or do: to go on alone would let somebody in, or keep somebody out, by chance.
   * @throws Refusal (503) where the server does not answer for two seconds
   */
  need<T>(run: (redis: Redis) => Promise<T>): Promise<T>;
  /** Has something done each second while the server answers; `isNew` at the first time and after each silence. */
  onBeat(act: Act): void;
  standing(): Standing;
  close(): Promise<void>;
}

/** Where the server is, and who is told of it. */
interface LinkOptions {
  /** redis:// or rediss://. */
  url: string;
  /** What every key begins with. */
  prefix: string;
  /** Gets a line when the server falls silent, and one when it answers again. */
  log: (line: string) => void;
}

type Act = (redis: Redis, isNew: boolean) => Promise<void>;

/** Creates the link, which connects by itself, again and again. */
export function createLink({ url, prefix, log }: LinkOptions): Link {
  const commands = new Redis(url, toOptions(url, prefix));
  const subscriber = commands.duplicate();
  const answering = createAnswering(log);
  const acts: Act[] = [];
  const timer = startBeat(commands, subscriber, answering, acts);
  return {
    commands,
    subscriber,
    async attempt(run, alone) {
      if (!answering.hasTried()) await answering.wait("tried");
      if (answering.standing() !== "shared") return alone();
      try {
        return await inTime(run(commands), ANSWER_MS);
      } catch (error) {
        answering.leave(error as Error);
        return alone();
      }
    },
    async need(run) {
      if (answering.standing() !== "shared") await answering.wait("joined");
      if (answering.standing() !== "shared") return refuseAway();
      try {
        return await inTime(run(commands), PATIENCE_MS);
      } catch (error) {
        answering.leave(error as Error);
        return refuseAway();
      }
    },
    onBeat: (act) => void acts.push(act),
    standing: answering.standing,
    async close() {
      clearInterval(timer);
      answering.mute();
      for (const redis of [commands, subscriber]) redis.disconnect();
    },
  };
}

/** Asks the server each second, and at once when a connection stands; whatever breaks one has it joined anew. */
function startBeat(commands: Redis, subscriber: Redis, answering: Answering, acts: readonly Act[]): NodeJS.Timeout {
  let isBeating = false;
  let breaks = 0;
  const beat = async () => {
    if (isBeating || commands.status !== "ready" || subscriber.status !== "ready") return;
    isBeating = true;
    const [isNew, seen] = [answering.standing() !== "shared", breaks];
    try {
      await inTime(Promise.all([commands.ping(), subscriber.ping()]), ANSWER_MS);
      for (const act of acts) await inTime(act(commands, isNew), JOIN_MS);
      if (isNew && breaks === seen) answering.join();
    } catch (error) {
      answering.leave(error as Error);
      if (isReplica(error as Error)) for (const redis of [commands, subscriber]) redis.disconnect(true);
    }
    isBeating = false;
  };
  for (const redis of [commands, subscriber]) {
    redis.on("error", answering.leave).on("ready", beat);
    redis.on("close", () => {
      breaks += 1;
      answering.leave(new Error());
    });
  }
  return setInterval(beat, BEAT_MS);
}

interface Answering {
  standing(): Standing;
  /** Whether the server has answered or failed to, or its time to do so is over. */
  hasTried(): boolean;
  /** Waits until the server answers, or fails to, for two seconds at most. */
  wait(until: "joined" | "tried"): Promise<void>;
  join(): void;
  leave(error: Error): void;
  /** Has nothing logged any more. */
  mute(): void;
}

function createAnswering(log: (line: string) => void): Answering {
  let standing: Standing = "joining";
  let isReported = false;
  let notify = log;
  let hasTried = false;
  const events = new EventEmitter().setMaxListeners(0);
  return {
    standing: () => standing,
    hasTried: () => hasTried,
    async wait(until) {
      await once(events, until, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => {});
      hasTried = true;
    },
    join() {
      standing = "shared";
      hasTried = true;
      for (const event of ["joined", "tried"]) events.emit(event);
      if (isReported) notify("The server of FEED_STORE answers again.");
      isReported = false;
    },
    leave(error) {
      if (standing === "shared") standing = "apart";
      hasTried = true;
      events.emit("tried");
      if (!isReported)
        notify(`The server of FEED_STORE does not answer${toReason(error)}: this instance goes on by itself.`);
      isReported = true;
    },
    mute() {
      notify = () => {};
    },
  };
}

/** Sends what was put together, and gives the results. */
export async function execute(together: ChainableCommander): Promise<unknown[]> {
  const results = (await together.exec()) ?? [];
  return results.map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}

export function refuseAway(): never {
  throw new Refusal(
    503,
    "The server that keeps who is paired (FEED_STORE) does not answer: try again in a minute, or see whether it runs.",
    "FEED_SERVER_FAILED",
    1,
  );
}

function toOptions(url: string, keyPrefix: string): RedisOptions {
  return {
    keyPrefix,
    // What cannot be sent at once is done without the server; to send it later would do it twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: DEAD_MS,
    socketTimeout: DEAD_MS,
    retryStrategy: (times) => Math.min(100 * times, BEAT_MS),
    // Said here, since a variable of the environment turns the check off where nothing is said.
    ...(new URL(url).protocol === "rediss:" && { tls: { rejectUnauthorized: true } }),
  };
}

/** @throws Error (ETIMEDOUT), not before what has come by then is read: this process may have been the slow one. */
async function inTime<T>(work: Promise<T>, mostMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(Object.assign(new Error(), { code: "ETIMEDOUT" }));
    timer = setTimeout(() => setImmediate(fail), mostMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A server that another one has taken over from keeps its connections, while its name leads to that one already. */
const isReplica = ({ message }: Error): boolean => message.startsWith("READONLY ");

/** Of an error only its code is told, such as ECONNREFUSED or WRONGPASS: the rest may hold the address with its password. */
function toReason({ code, message }: Error & { code?: unknown }): string {
  const word = typeof code === "string" ? code : /^[A-Z]{3,}(?= )/.exec(message)?.[0];
  return word === undefined ? "" : ` (${word})`;
}

/** Divides what would be too much for one request to the server, which answers nobody else meanwhile. */
export function toBatches<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, index) =>
    all.slice(index * most, (index + 1) * most),
  );
}
