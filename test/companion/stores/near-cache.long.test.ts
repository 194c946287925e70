import { beforeEach, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { PubSub, Stores } from "../../../src/companion/stores";
import { createMemoryPubSub } from "../../../src/companion/stores/memory";
import type { Link } from "../../../src/companion/stores/redis/link";
import { createNearCache, type NearCache } from "../../../src/companion/stores/redis/near-cache";

import { until } from "../../support/until";
import { createInstances } from "./instances";

const instances = createInstances();
const NOW_MS = 1_000_000;
const ANSWER = { body: Buffer.from("text"), atMs: 5, endsAtMs: NOW_MS + 30_000 };

let pubSub: PubSub;
let near: NearCache;
/** Runs at each beat of the link; true after an outage. */
let beat: (isNew: boolean) => Promise<void>;

beforeEach(() => {
  pubSub = createMemoryPubSub();
  const onBeat: Link["onBeat"] = (act) => {
    beat = (isNew) => act(undefined as never, isNew);
  };
  near = createNearCache({ onBeat } as Link, pubSub, () => NOW_MS);
});

describe("answers of two instances", () => {
  const readText = async ({ answers }: Stores) => (await answers.read(["one"]))[0]?.body.toString();

  it("are read from the server once, as long as nobody replaces them", async () => {
    const [one, other] = [instances.start().stores, instances.start().stores] as const;
    await until(() => [one, other].every(({ standing }) => standing() === "shared"));
    let isTold = false;
    other.pubSub.subscribe("stored", () => {
      isTold = true;
    });
    await one.answers.store([{ key: "one", body: Buffer.from("text"), atMs: 5, lifetimeMs: 60_000 }]);
    one.pubSub.publish("stored", "");
    await until(() => isTold);
    expect(await readText(other)).toBe("text");
    const redis = new Redis(instances.server().url);
    await redis.flushall();
    expect([await readText(one), await readText(other)]).toEqual(["text", "text"]);
    redis.disconnect();
  });
});

describe("answers in this process's memory", () => {
  it("are those that were read, until they are replaced elsewhere", () => {
    near.begin()(new Map([["one", ANSWER]]));
    expect(near.read("one")).toEqual({ body: ANSWER.body, atMs: 5 });
    pubSub.publish("answers", '["one"]');
    expect(near.read("one")).toBeUndefined();
  });

  it("are none that were replaced while they were read", () => {
    const end = near.begin();
    pubSub.publish("answers", '["one"]');
    end(
      new Map([
        ["one", ANSWER],
        ["other", ANSWER],
      ]),
    );
    expect([near.read("one"), near.read("other")?.atMs]).toEqual([undefined, 5]);
  });

  it("are none after an outage, when messages may have been missed", async () => {
    near.store(new Map([["one", ANSWER]]));
    await beat(false);
    expect(near.read("one")?.atMs).toBe(5);
    await beat(true);
    expect(near.read("one")).toBeUndefined();
  });

  it("are none whose lifetime is over", () => {
    near.begin()(new Map([["one", { ...ANSWER, endsAtMs: NOW_MS }]]));
    expect(near.read("one")).toBeUndefined();
  });
});
