import { expect, it } from "@jest/globals";
import type { Redis } from "ioredis";
import { followEnded } from "../../../src/firm/stores/redis/ended";
import type { Link } from "../../../src/firm/stores/redis/link";

/** Too many for the arguments of one call. */
const MANY = 150_000;

/** A server of ended pairings alone, which begins with these; and an instance that follows them. */
function start(stored: Map<string, number> = new Map()) {
  const redis = {
    zremrangebyscore: async () => 0,
    zcard: async () => stored.size,
    zrange: async () => [...stored].flatMap(([name, untilMs]) => [name, String(untilMs)]),
    zadd: async (_key: string, ...members: (string | number)[]) => {
      for (let at = 0; at < members.length; at += 2) stored.set(String(members[at + 1]), Number(members[at]));
    },
  } as unknown as Redis;
  const acts: Parameters<Link["onBeat"]>[0][] = [];
  const ended = followEnded({ onBeat: (act) => void acts.push(act) } as Link);
  return { ended, stored, look: () => acts[0]!(redis, true) };
}

const toPairing = (id: string, pairedAtMs = 2) => ({ id, pairedAtMs, origin: "", provider: "" });

it("an end of all lasts though another program writes a moment that is none", async () => {
  const { ended, stored, look } = start(new Map([["all 5", Number.MAX_SAFE_INTEGER]]));
  await look();
  stored.set("all other", Number.MAX_SAFE_INTEGER);
  await look();
  expect([ended.has(toPairing("a", 5)), ended.has(toPairing("b", 6))]).toEqual([true, false]);
});

it("an empty server learns all that has ended here, however many pairings that are", async () => {
  const { ended, stored, look } = start();
  for (let nth = 0; nth < MANY; nth += 1) ended.hold({ id: String(nth) });
  await look();
  expect(stored.size).toBe(MANY);
});
