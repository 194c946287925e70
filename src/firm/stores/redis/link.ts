import { EventEmitter, once } from "node:events";
import { type ChainableCommander, Redis, type RedisOptions } from "ioredis";
import { ConfigurationError } from "../../../companion/configuration/reading";
import { Refusal } from "../../../companion/refusal";
import type { Standing } from "../../../companion/stores";

/** Time limit of calls with a fallback. */
const ANSWER_MS = 400;
/** Time limit of calls without a fallback, and of calls before the first answer. */
const PATIENCE_MS = 2000;
/** Time limit for reads on connecting, such as of all that was ended. */
const JOIN_MS = 5000;
const BEAT_MS = 1000;
/** A silent connection is replaced after this time: it is used each second. */
const DEAD_MS = 3000;

/** By {@link createLink}. */
export type Link = ReturnType<typeof createLink>;

/** The server's address, and the log. */
interface LinkOptions {
  /** redis:// or rediss://. */
  url: string;
  /** Prefix of every key. */
  prefix: string;
  /** Gets a line when the server falls silent, and one when it answers again. */
  log: (line: string) => void;
}

type Act = (redis: Redis, isNew: boolean) => Promise<void>;

/**
 * Creates the connection to the server that instances share; it connects and reconnects by itself, and may be slow or
 * lost at any time.
 */
export function createLink({ url, prefix, log }: LinkOptions) {
  const commands = new Redis(url, toOptions(url, prefix));
  const answering = createAnswering(log);
  const { standing, leave } = answering;
  const acts: Act[] = [];
  const timer = startBeat(commands, answering, acts);
  return {
    commands,
    /** Runs a command, or the fallback: at once while the server is known not to answer, otherwise after 400 ms. */
    async attempt<T>(run: (redis: Redis) => Promise<T>, alone: () => T | Promise<T>): Promise<T> {
      await answering.tried;
      if (standing() !== "shared") return alone();
      try {
        return await inTime(run(commands), ANSWER_MS);
      } catch (error) {
        leave(error as Error);
        return alone();
      }
    },
    /** Runs a command that has no fallback: a guess would admit or refuse people by chance. */
    async need<T>(run: (redis: Redis) => Promise<T>): Promise<T> {
      if (standing() !== "shared") await answering.awaitOne("joined");
      if (standing() !== "shared") return refuseAway();
      try {
        return await inTime(run(commands), PATIENCE_MS);
      } catch (error) {
        leave(error as Error);
        return refuseAway();
      }
    },
    /** Runs a function each second while the server answers; `isNew` on connecting and after each outage. */
    onBeat: (act: Act) => void acts.push(act),
    standing,
    /**
     * Waits for the server's first answer, however long that takes.
     * @throws ConfigurationError where the server is of an unsupported kind.
     */
    join: answering.join,
    async close(): Promise<void> {
      clearInterval(timer);
      answering.mute();
      commands.disconnect();
    },
  };
}

/** Writes to the server each second, and at once on connecting; a broken connection counts as new. */
function startBeat(commands: Redis, answering: Answering, acts: readonly Act[]): NodeJS.Timeout {
  let isBeating = false;
  const beat = async () => {
    if (isBeating || commands.status !== "ready") return;
    isBeating = true;
    const [isNew, seen] = [answering.standing() !== "shared", answering.breaks()];
    try {
      if (isNew) await checkKind(commands, answering);
      // A write: a server that is full, or a replica, would answer a ping.
      await inTime(commands.set("beat", "", "PX", DEAD_MS), ANSWER_MS);
      for (const act of acts) await inTime(act(commands, isNew), JOIN_MS);
      if (isNew && answering.breaks() === seen) answering.enter();
    } catch (error) {
      answering.leave(error as Error);
      if (isReplica(error as Error)) commands.disconnect(true);
    }
    isBeating = false;
  };
  commands.on("error", answering.leave).on("close", answering.leave).on("ready", beat);
  return setInterval(beat, BEAT_MS);
}

/** Refuses servers that keep a key elsewhere, or none: their first commands would succeed, and later ones fail. */
async function checkKind(commands: Redis, answering: Answering): Promise<void> {
  // Who may not ask for it may still use the server.
  const info = await inTime(commands.info("server"), ANSWER_MS).catch(() => "");
  const [, kind = ""] = /^(?:redis|server)_mode:(cluster|sentinel)/m.exec(info) ?? [];
  if (kind === "") return;
  throw answering.refuse(
    `FEED_STORE is a ${kind === "cluster" ? "Redis Cluster" : "Redis Sentinel"}. Give the address of a single Redis or Valkey.`,
  );
}

type Answering = ReturnType<typeof createAnswering>;

function createAnswering(notify: (line: string) => void) {
  let log = notify;
  let standing: Standing = "joining";
  let breaks = 0;
  /** The reason that the log has; undefined while the server answers. */
  let reported: string | undefined;
  let refused: Error | undefined;
  const events = new EventEmitter().setMaxListeners(0).on("error", () => {});
  /** Waits for an event, for two seconds at most. */
  const awaitOne = (event: "joined" | "tried") =>
    once(events, event, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => {});
  return {
    standing: () => standing,
    breaks: () => breaks,
    awaitOne,
    /** Settles once the server has answered or failed to, or the time for it is over. */
    tried: awaitOne("tried"),
    enter() {
      standing = "shared";
      for (const event of ["joined", "tried"]) events.emit(event);
      if (reported !== undefined) log("The server of FEED_STORE answers again.");
      reported = undefined;
    },
    /** @param error Absent where the connection has broken. */
    leave(error?: Error) {
      if (standing === "shared") standing = "apart";
      if (error === undefined) breaks += 1;
      events.emit("tried");
      const reason = error === undefined ? "" : toReason(error);
      if (reported !== undefined && (!BROKEN.includes(reported) || BROKEN.includes(reason))) return;
      reported = reason;
      log(`The server of FEED_STORE does not answer${reason}: this instance goes on by itself.`);
    },
    async join(): Promise<void> {
      if (refused !== undefined) throw refused;
      if (standing === "joining") await once(events, "joined");
    },
    /** Fails those who wait to join: the server will never do. */
    refuse(sentence: string): Error {
      refused = new ConfigurationError([sentence]);
      events.emit("error", refused);
      return refused;
    },
    /** Stops logging. */
    mute() {
      log = () => {};
    },
  };
}

/** Sends a pipeline, and gives its results. */
export async function execute(together: ChainableCommander): Promise<unknown[]> {
  const results = (await together.exec()) ?? [];
  return results.map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}

function refuseAway(): never {
  throw new Refusal(
    503,
    "The server that all instances share (FEED_STORE) does not answer: try again in a minute, or see whether it runs.",
    "FEED_SERVER_FAILED",
    1,
  );
}

function toOptions(url: string, keyPrefix: string): RedisOptions {
  return {
    keyPrefix,
    // Unsent commands fall back at once; to send them later would run them twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: DEAD_MS,
    socketTimeout: DEAD_MS,
    retryStrategy: (times) => Math.min(100 * times, BEAT_MS),
    // Explicit, since an environment variable could turn the check off.
    ...(new URL(url).protocol === "rediss:" && { tls: { rejectUnauthorized: true } }),
  };
}

/** @throws Error (ETIMEDOUT), after reading what has arrived by then: this process may have been the slow one. */
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

/** After a failover the old server keeps its connections, while its name leads to the new one. */
const isReplica = ({ message }: Error): boolean => message.startsWith("READONLY ");

/** A connection that broke gives no reason; the next one that is tried does. */
const BROKEN = ["", " (ECONNRESET)"];

/** Gives only the error's code, such as ECONNREFUSED or WRONGPASS: the rest may hold the address with its password. */
function toReason({ code, message }: Error & { code?: unknown }): string {
  const word = typeof code === "string" ? code : /^[A-Z]{3,}(?= )/.exec(message)?.[0];
  return word === undefined ? "" : ` (${word})`;
}
