import { isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import { Address6 } from "ip-address";
import { toWho } from "../reads/quota";
import { Refusal } from "../refusal";
import type { Stores } from "../stores";

const WINDOW_MS = 60_000;
/**
 * Requests a minute of one caller, or of all together where codes are tried. An index of 300,000 names takes some 600 reads
 * in ten seconds: no reader meets the last. A whole office may sign in from one address at nine o'clock, and a firm's people
 * from many: `codes` is for all of them, so that guessing from many addresses has an end too.
 */
const LIMITS = {
  assertion: 60,
  token: 60,
  pairing: 10,
  request: 60,
  keys: 10,
  signIn: 1200,
  personCode: 600,
  codes: 3000,
  other: 12_000,
};
/** A program has many addresses on its own machine, and a code's tries must not grow with them. */
const OF_ALL: readonly string[] = ["pairing", "request", "codes"] satisfies (keyof typeof LIMITS)[];
const EVERYBODY = "everybody";
/** What one caller with IPv6 has: whoever has it has all its addresses. */
const SUBNET = 64;

export type Limit = keyof typeof LIMITS;

/** Counts a request, and gives the refusal of one beyond its limit; default its route's. */
export type RefuseExcess = (request: FastifyRequest, limit?: Limit) => Promise<Refusal | undefined>;

/** Creates the count of each caller's requests. */
export function createLimits({ createLimit }: Pick<Stores, "createLimit">): RefuseExcess {
  const names = Object.keys(LIMITS) as Limit[];
  const counts = new Map(names.map((name) => [name, createLimit(name, LIMITS[name], WINDOW_MS)]));
  return async (request, limit = request.routeOptions.config.limit ?? "other") => {
    const waitMs = await counts.get(limit)!.count(OF_ALL.includes(limit) ? EVERYBODY : toCaller(request));
    if (waitMs === 0) return undefined;
    const seconds = Math.ceil(waitMs / 1000);
    const sentence = `More than ${LIMITS[limit]} requests of this kind came in a minute: try again in ${seconds} s.`;
    return new Refusal(429, sentence, "FEED_RATE_LIMITED", seconds);
  };
}

/** A whole office may have one address, so what is known of a caller is asked first. */
const toCaller = ({ pairing, ip }: FastifyRequest): string => (pairing === null ? toNetwork(ip) : toWho(pairing));

function toNetwork(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = new Address6(ip);
  return address.isMapped4()
    ? address.to4().correctForm()
    : new Address6(`${ip}/${SUBNET}`).startAddress().correctForm();
}
