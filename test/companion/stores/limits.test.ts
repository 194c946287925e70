import { describe, expect, it } from "@jest/globals";
import { until } from "../../support/until";
import { hasServer, listKinds } from "./instances";

const WINDOW_MS = 60_000;
/** A server counts in whole seconds. */
const SHORT_MS = hasServer() ? 1000 : 200;

describe.each(listKinds())("a limit in %s", (_title, create) => {
  it("admits its number in its time for each key, and then says how long to wait", async () => {
    const limit = create().createLimit("limit", 3, WINDOW_MS);
    const waits: number[] = [];
    for (let count = 0; count < 4; count += 1) waits.push(await limit.count("one"));
    expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
    expect(waits[3]).toBeGreaterThan(WINDOW_MS - 10_000);
    expect(waits[3]).toBeLessThanOrEqual(WINDOW_MS);
    expect(await limit.count("other")).toBe(0);
  });

  it("counts several at once, and nothing that it refuses", async () => {
    const limit = create().createLimit("limit", 100, WINDOW_MS);
    expect(await limit.count("one", 90)).toBe(0);
    expect(await limit.count("one", 11)).toBeGreaterThan(0);
    expect(await limit.count("one", 10)).toBe(0);
    expect(await limit.count("one", 1)).toBeGreaterThan(0);
  });

  it("charges work already done, even beyond the limit", async () => {
    const limit = create().createLimit("limit", 3, WINDOW_MS);
    await limit.charge("one", 5);
    expect(await limit.count("one")).toBeGreaterThan(WINDOW_MS - 10_000);
    expect(await limit.count("other")).toBe(0);
  });

  it("is separate from one of another name", async () => {
    const { createLimit } = create();
    expect(await createLimit("first", 1, WINDOW_MS).count("one")).toBe(0);
    expect(await createLimit("second", 1, WINDOW_MS).count("one")).toBe(0);
  });

  it("starts again after its time", async () => {
    const limit = create().createLimit("limit", 1, SHORT_MS);
    expect(await limit.count("one")).toBe(0);
    expect(await limit.count("one")).toBeGreaterThan(0);
    await until(async () => (await limit.count("one")) === 0);
  });
});
