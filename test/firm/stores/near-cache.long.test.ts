import { expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { FirmStores } from "../../../src/firm/stores";
import { until } from "../../support/until";
import { createInstances } from "./instances";

const instances = createInstances();
const readText = async ({ answers }: FirmStores) => (await answers.read(["one"]))[0]?.body.toString();

it("answers of two instances are read from the server once, as long as nobody replaces them", async () => {
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
