/** The tests of a companion's stores on a server, and what several instances share there. */
import { describe, expect, it } from "@jest/globals";
import type { Stores } from "../../../src/companion/stores";
import { until } from "../../support/until";
import { createInstances } from "./instances";
import "./kinds.test";
import "../pairing.test";

const instances = createInstances();
const LONG_MS = 60_000;
const WINDOW_MS = 60_000;

describe("answers of two instances", () => {
  const toEntry = (text: string, lifetimeMs = LONG_MS) => ({
    key: "one",
    body: Buffer.from(text),
    atMs: 5,
    lifetimeMs,
  });
  const readText = async ({ answers }: Stores) => (await answers.read(["one"]))[0]?.body.toString();
  const startTwo = async () => {
    const two = [instances.start().stores, instances.start().stores] as const;
    await until(() => two.every(({ standing }) => standing() === "shared"));
    return two;
  };

  it("are replaced in all of them", async () => {
    const [one, other] = await startTwo();
    await one.answers.store([toEntry("old")]);
    expect(await readText(other)).toBe("old");
    await one.answers.store([toEntry("new")]);
    await until(async () => (await readText(other)) === "new");
    await other.answers.store([toEntry("newest")]);
    await until(async () => (await readText(one)) === "newest");
  });

  it("expire in each of them after their lifetime", async () => {
    const [one, other] = await startTwo();
    await one.answers.store([toEntry("short", 200)]);
    await readText(other);
    for (const stores of [one, other]) await until(async () => (await readText(stores)) === undefined);
  });
});

describe("a limit of two instances", () => {
  it("counts both together, even at once", async () => {
    const limits = [1, 2].map(() => instances.start().stores.createLimit("limit", 60, WINDOW_MS));
    const waits = await Promise.all(Array.from({ length: 100 }, (_, index) => limits[index % 2]!.count("one")));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(60);
  });
});

describe("a one-time value of one instance", () => {
  it("is taken by another or by the first, and not by both", async () => {
    const [one, other] = [instances.start().stores.oneTimeValues, instances.start().stores.oneTimeValues];
    await one.put("a", { for: "either" }, LONG_MS);
    const taken = await Promise.all([one.take("a"), other.take("a")]);
    expect(taken.filter((value) => value !== undefined)).toEqual([{ for: "either" }]);
  });
});
