import { afterEach, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { makeSecret } from "../../../src/companion/api/pairing";
import type { FirmStores } from "../../../src/firm/stores";
import { ENDED, ERA, followEnded } from "../../../src/firm/stores/redis/ended";
import { createLink, type Link } from "../../../src/firm/stores/redis/link";
import { openFor } from "../../companion/test-configuration";
import { until } from "../../support/until";
import { createInstances } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";
const DAY_MS = 86_400_000;
/** Too many for the arguments of one call. */
const MANY = 150_000;
const links: Link[] = [];

afterEach(() => Promise.all(links.splice(0).map((link) => link.close())));

/** What an instance knows of ended pairings, and their number on the server. */
function follow(prefix: string) {
  const link = createLink({ url: instances.server().url, prefix, log: () => {} });
  links.push(link);
  const ended = followEnded(link);
  return {
    ended,
    add: (...ids: [id: string, endsAtMs?: number][]) =>
      link.need((redis) =>
        ended.add(
          redis,
          ids.map(([id, endsAtMs]) => toPairing(id, endsAtMs)),
        ),
      ),
    count: () => link.need((redis) => redis.zcard(ENDED)),
  };
}

const toPairing = (id: string, endsAtMs?: number) => ({ id, origin: "", provider: "", pairedAtMs: 1, endsAtMs });

function pairAt({ pairings }: FirmStores, id: string) {
  const signedIn = { person: { id, roles: ["all"] }, endsAtMs: Date.now() + 3_600_000 };
  return openFor(pairings).pairPerson(signedIn, ORIGIN);
}

const isPaired = async ({ pairings }: FirmStores, bearer: string) =>
  (await openFor(pairings).find(bearer, ORIGIN)) !== undefined;

it("an empty server learns all that has ended here, however many pairings that are", async () => {
  const { ended, count } = follow(makeSecret());
  for (let nth = 0; nth < MANY; nth += 1) ended.hold(toPairing(String(nth)));
  await until(() => ended.isReady());
  expect(await count()).toBe(MANY);
});

it("an ended pairing is forgotten a day after its token would have ended, which makes no instance miss another", async () => {
  const prefix = makeSecret();
  const [one, other] = [follow(prefix), follow(prefix)];
  await one.add(["over", Date.now() - DAY_MS + 1500]);
  await until(() => other.ended.has(toPairing("over")));
  await until(() => !one.ended.has(toPairing("over")) && !other.ended.has(toPairing("over")));
  await one.add(["later", Date.now()]);
  expect(await one.count()).toBe(1);
  await until(() => other.ended.has(toPairing("later")));
});

it("an end of all takes the place of the single ones, which stay ended", async () => {
  const redis = new Redis(instances.server().url);
  await redis.flushall();
  const [one, command] = [0, 1].map(() => instances.start().stores) as [FirmStores, FirmStores];
  const [first, second] = [await pairAt(one, "ada"), await pairAt(one, "bob")];
  await command.pairings.revoke("ada");
  await command.pairings.revoke();
  await until(async () => !(await isPaired(one, second.bearer)));
  expect(await isPaired(one, first.bearer)).toBe(false);
  expect(await redis.keys(`*${ENDED}`)).toEqual([]);
  redis.disconnect();
});

it("an end of all lasts though another program writes in its place what is no time", async () => {
  const redis = new Redis(instances.server().url);
  await redis.flushall();
  const [one, command] = [0, 1].map(() => instances.start().stores) as [FirmStores, FirmStores];
  const { bearer } = await pairAt(one, "ada");
  await command.pairings.revoke();
  await until(async () => !(await isPaired(one, bearer)));
  const keys = await redis.keys(`*${ERA}`);
  for (const key of keys) await redis.set(key, "other");
  await until(async () => !(await redis.mget(keys)).includes("other"));
  expect(await isPaired(one, bearer)).toBe(false);
  expect(await isPaired(one, (await pairAt(one, "ada")).bearer)).toBe(true);
  redis.disconnect();
});

it("an instance whose clock is behind signs people in after an end of all", async () => {
  const [behind, command] = [() => Date.now() - 5_400_000, Date.now].map((clock) => instances.start(clock).stores) as [
    FirmStores,
    FirmStores,
  ];
  const { bearer } = await pairAt(behind, "ada");
  await command.pairings.revoke();
  await until(async () => !(await isPaired(behind, bearer)));
  const again = await pairAt(behind, "ada");
  for (const each of [behind, command]) expect(await isPaired(each, again.bearer)).toBe(true);
});

it("an end of all by a clock that is behind another's, within a second of it, never sets the era back", async () => {
  const redis = new Redis(instances.server().url);
  await redis.flushall();
  const [ahead, behind] = [() => Date.now() + 1_800_000, Date.now].map((clock) => instances.start(clock).stores) as [
    FirmStores,
    FirmStores,
  ];
  const early = await pairAt(behind, "ada");
  await ahead.pairings.revoke();
  await behind.pairings.revoke();
  const later = await pairAt(behind, "ada");
  const eras = async () => redis.mget(await redis.keys(`*${ERA}`));
  const [era] = await eras();
  expect(Number(era)).toBeGreaterThan(Date.now() + 1_700_000);
  // Each instance has looked at the server once more.
  await until(async () => !(await isPaired(ahead, early.bearer)) && (await isPaired(ahead, later.bearer)));
  for (const each of [ahead, behind]) expect(await isPaired(each, later.bearer)).toBe(true);
  expect(await eras()).toEqual([era]);
  redis.disconnect();
});

it("a pairing that is made during an end of all has ended, or lasts and is listed", async () => {
  const [one, command] = [() => Date.now() + 60_000, Date.now].map((clock) => instances.start(clock).stores) as [
    FirmStores,
    FirmStores,
  ];
  const early = await pairAt(one, "ada");
  for (let count = 0; count < 300; count += 1) await pairAt(one, "ada");
  await command.pairings.list();
  const made: { id: string; bearer: string }[] = [];
  let isOver = false;
  const ending = command.pairings.revoke().finally(() => {
    isOver = true;
  });
  while (!isOver) made.push(...(await Promise.all([0, 1, 2].map(() => pairAt(one, "ada")))));
  const count = await ending;
  await until(async () => !(await isPaired(one, early.bearer)));
  const lasting: string[] = [];
  for (const { id, bearer } of made) if (await isPaired(one, bearer)) lasting.push(id);
  const listed = (await command.pairings.list()).map(({ id }) => id);
  expect([listed.sort(), count]).toEqual([lasting.sort(), 301 + made.length - lasting.length]);
});
