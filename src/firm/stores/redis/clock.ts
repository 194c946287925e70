import type { Link } from "./link";

/** Clocks that differ by less agree: correcting them would make the age of an answer jump. */
const TOLERANCE_MS = 2000;
/** A slower reply tells the time too roughly. */
const LONGEST_REPLY_MS = 1000;

/** The time that all instances on a server share: its own. */
export interface SharedClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** How far this computer's clock is ahead of it, in milliseconds; 0 where they agree within two seconds. */
  skewMs(): number;
}

/**
 * Creates the clock, which compares this computer's with the server's each second.
 * @param nowMs This computer's.
 * @param log Gets a line when the clocks begin to differ, and one when they agree again.
 */
export function createSharedClock(link: Link, nowMs: () => number, log: (line: string) => void): SharedClock {
  let skewMs = 0;
  link.onBeat(async (redis) => {
    const startMs = Date.now();
    const [seconds, microseconds] = await redis.time();
    const endMs = Date.now();
    const measuredMs = (startMs + endMs) / 2 - (Number(seconds) * 1000 + Number(microseconds) / 1000);
    if (Math.abs(endMs - startMs) > LONGEST_REPLY_MS || Math.abs(measuredMs - skewMs) <= TOLERANCE_MS) return;
    skewMs = Math.abs(measuredMs) <= TOLERANCE_MS ? 0 : Math.round(measuredMs);
    log(describeSkew(skewMs));
  });
  return { nowMs: () => nowMs() - skewMs, skewMs: () => skewMs };
}

/** Says what an administrator has to do about a clock. */
export function describeSkew(skewMs: number): string {
  if (skewMs === 0) return "This computer's clock agrees with that of FEED_STORE's server again.";
  const [seconds, side] = [Math.round(Math.abs(skewMs) / 1000), skewMs > 0 ? "ahead of" : "behind"];
  return `This computer's clock is ${seconds} s ${side} that of FEED_STORE's server, which counts: synchronise both by network time.`;
}
