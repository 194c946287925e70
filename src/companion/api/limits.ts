import { isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import { Address6 } from "ip-address";
import { BusyRefusal, type Refusal } from "../refusal";
import type { Stores } from "../stores";
import { toWho } from "./pairing";

const WINDOW_MS = 60_000;
/**
 * Requests a minute per caller, or of all callers for codes of a terminal. `other` bounds a whole index of 300,000
 * names, some 600 reads in ten seconds. Sign-in has room for the 5,000 people of an office behind one address who all
 * come in the same minute; what stops guessing is counted by pane and by person, whatever address they come from.
 */
const LIMITS = {
  assertion: 60,
  token: 60,
  pairing: 10,
  request: 60,
  keys: 10,
  signIn: 20_000,
  beginSignIn: 10_000,
  personCode: 10_000,
  pane: 60,
  paneCode: 10,
  other: 12_000,
  stranger: 60_000,
};
/** Shared by all callers: a program has many addresses on its own machine, and must not get more tries by them. */
const OF_ALL: readonly string[] = ["pairing", "request"] satisfies (keyof typeof LIMITS)[];
const EVERYBODY = "everybody";
/** The prefix length of one IPv6 caller, who owns all its addresses. */
const SUBNET = 64;

export type Limit = keyof typeof LIMITS;

/**
 * Counts a request; gives the refusal beyond the limit.
 * @param limit Default its route's.
 * @param who Who is counted; default the caller.
 */
export type RefuseExcess = (request: FastifyRequest, limit?: Limit, who?: string) => Promise<Refusal | undefined>;

/** Creates the rate limits of callers. */
export function createLimits({ createLimit }: Pick<Stores, "createLimit">): RefuseExcess {
  const names = Object.keys(LIMITS) as Limit[];
  const counts = new Map(names.map((name) => [name, createLimit(name, LIMITS[name], WINDOW_MS)]));
  return async (request, limit = toLimit(request), who = toCaller(request)) => {
    const waitMs = await counts.get(limit)!.count(OF_ALL.includes(limit) ? EVERYBODY : who);
    return waitMs === 0 ? undefined : refuseRate(LIMITS[limit], waitMs);
  };
}

/** Refuses what came more often than a limit lets it. */
export const refuseRate = (most: number, waitMs: number): Refusal =>
  new BusyRefusal((s) => `More than ${most} requests of this kind came in a minute: try again in ${s} s.`, waitMs);

const toLimit = ({ routeOptions, pairing }: FastifyRequest): Limit =>
  routeOptions.config.limit ?? (pairing === null ? "stranger" : "other");

/** Counts by pairing where there is one, since an office may share an address. */
const toCaller = ({ pairing, ip }: FastifyRequest): string => (pairing === null ? toNetwork(ip) : toWho(pairing));

function toNetwork(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = new Address6(ip);
  return address.isMapped4()
    ? address.to4().correctForm()
    : new Address6(`${ip}/${SUBNET}`).startAddress().correctForm();
}
