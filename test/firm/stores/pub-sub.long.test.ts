import { describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { PubSub } from "../../../src/firm/stores";
import { openFor } from "../../companion/test-configuration";
import { until } from "../../support/until";
import { createInstances } from "./instances";

const instances = createInstances();
const ORIGIN = "https://localhost:3000";

function receive(pubSub: PubSub, topic: string): string[] {
  const received: string[] = [];
  pubSub.subscribe(topic, (said) => void received.push(said));
  return received;
}

const toText = (topic: string, said: string): string => JSON.stringify({ from: "another", topic, said });

it("messages of three instances reach all, in the order of publishing", async () => {
  const all = [1, 2, 3].map(() => instances.start().stores);
  const received = all.map(({ pubSub }) => receive(pubSub, "a"));
  await until(() => all.every(({ standing }) => standing() === "shared"));
  for (const said of ["first", "second", "third"]) all[0]!.pubSub.publish("a", said);
  await until(() => received.every(({ length }) => length === 3));
  all[1]!.pubSub.publish("a", "fourth");
  await until(() => received.every(({ length }) => length === 4));
  expect(received).toEqual(Array(3).fill(["first", "second", "third", "fourth"]));
});

describe("foreign messages on the server", () => {
  it("end no instance, and block no genuine message", async () => {
    const [one, other] = [1, 2].map(() => instances.start().stores);
    await until(() => [one, other].every((stores) => stores!.standing() === "shared"));
    const received = receive(other!.pubSub, "a");
    const redis = new Redis(instances.server().url);
    const channels = (await redis.pubsub("CHANNELS", "*")) as string[];
    const unread = ["x", "null", "5", ...["claims", "pairings"].map((topic) => toText(topic, "x"))];
    const misfit = ["claims", "pairings", "provider pause"].map((topic) => toText(topic, "{}"));
    for (const channel of channels) for (const text of [...unread, ...misfit]) await redis.publish(channel, text);
    redis.disconnect();
    one!.pubSub.publish("a", "genuine");
    await until(() => received.length > 0);
    expect(received).toEqual(["genuine"]);
  });

  it("do not reach companions of another database of the server", async () => {
    const { url } = instances.server();
    const [here, there] = [0, 1].map((database) => instances.start(undefined, `${url}/${database}`).stores);
    await until(() => [here, there].every((stores) => stores!.standing() === "shared"));
    const [near, far] = [receive(here!.pubSub, "a"), receive(there!.pubSub, "a")];
    const pairings = openFor(here!.pairings);
    const { bearer } = await pairings.pair(await pairings.issueSent(), ORIGIN);
    here!.pubSub.publish("a", "here");
    there!.pubSub.publish("a", "there");
    await there!.answers.read(["so that word would have come"]);
    expect([near, far]).toEqual([["here"], ["there"]]);
    expect(await openFor(there!.pairings).find(bearer, ORIGIN)).toBeUndefined();
  });
});
