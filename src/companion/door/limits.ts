import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../refusal";

const WINDOW_MS = 60_000;
/** Requests a minute of one caller, or of all together for pairing. An index of 300,000 names takes some 600 reads in ten seconds: no reader meets the last. */
const LIMITS = { assertion: 60, token: 60, pairing: 10, keys: 10, other: 12_000 };

export type Limit = keyof typeof LIMITS;

/** Creates the count of each caller's requests, which gives the refusal of those beyond their route's limit. */
export async function createLimits(
  scope: FastifyInstance,
): Promise<(request: FastifyRequest) => Promise<Refusal | undefined>> {
  await scope.register(rateLimit, { global: false });
  const create = (max: number, keyGenerator = toCaller) =>
    scope.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  const counts = {
    assertion: create(LIMITS.assertion),
    token: create(LIMITS.token),
    pairing: create(LIMITS.pairing, toEverybody),
    keys: create(LIMITS.keys),
    other: create(LIMITS.other),
  };
  return async (request) => {
    const { limit = "other" } = request.routeOptions.config;
    const counted = await counts[limit](request);
    if (counted.isAllowed || !counted.isExceeded) return undefined;
    const { ttlInSeconds } = counted;
    const sentence = `More than ${LIMITS[limit]} requests of this kind came in a minute: try again in ${ttlInSeconds} s.`;
    return new Refusal(429, sentence, "FEED_RATE_LIMITED", ttlInSeconds);
  };
}

/** Behind a proxy everybody has its address, so what is known of a caller is asked first. */
const toCaller = ({ pairing, ip }: FastifyRequest): string => (pairing ? `pairing ${pairing.id}` : normalizeIP(ip));

/** A program has many addresses on its own machine, and a code's tries must not grow with them. */
const toEverybody = (): string => "everybody";
