import { isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import { Address6 } from "ip-address";
import { toWho } from "../reads/quota";
import { Refusal } from "../refusal";
import type { Stores } from "../stores";

const WINDOW_MS = 60_000;
/**
 * Requests a minute per caller, or of all callers for codes. The largest bounds a whole index of 300,000 names, some
 * 600 reads in ten seconds. An office may sign in from one address at nine o'clock; `codes` bounds guessing from many
 * addresses.
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
/** Shared by all callers: a program has many addresses on its own machine, and must not get more tries by them. */
const OF_ALL: readonly string[] = ["pairing", "request", "codes"] satisfies (keyof typeof LIMITS)[];
const EVERYBODY = "everybody";
/** The prefix length of one IPv6 caller, who owns all its addresses. */
const SUBNET = 64;

export type Limit = keyof typeof LIMITS;

/** Counts a request; gives the refusal beyond the limit, which is by default its route's. */
export type RefuseExcess = (request: FastifyRequest, limit?: Limit) => Promise<Refusal | undefined>;

/** Creates the rate limits of callers. */
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

/** Counts by pairing where there is one, since an office may share an address. */
const toCaller = ({ pairing, ip }: FastifyRequest): string => (pairing === null ? toNetwork(ip) : toWho(pairing));

function toNetwork(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = new Address6(ip);
  return address.isMapped4()
    ? address.to4().correctForm()
    : new Address6(`${ip}/${SUBNET}`).startAddress().correctForm();
}
