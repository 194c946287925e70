import { beforeEach, describe, expect, it } from "@jest/globals";
import type { PubSub } from "../../../src/firm/stores";
import { createMemoryPubSub } from "../../../src/firm/stores/memory";
import type { Link } from "../../../src/firm/stores/redis/link";
import { createNearCache, type NearCache } from "../../../src/firm/stores/redis/near-cache";

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
