import { describe, expect, it } from "@jest/globals";
import { createQuota } from "../../src/firm/reads/quota";

describe("a person's quota", () => {
  const wait = (seconds: number) => ({ statusCode: 429, code: "FEED_RATE_LIMITED", retryAfterSeconds: seconds });

  it("counts several loads at once, and none that it refuses, of each person by themselves", () => {
    const { admit } = createQuota(100);
    expect(admit("one", 90)).toBeUndefined();
    expect(admit("one", 11)).toMatchObject({ statusCode: 429 });
    expect(admit("one", 10)).toBeUndefined();
    expect(admit("one", 1)).toMatchObject({ statusCode: 429 });
    expect(admit("other", 100)).toBeUndefined();
  });

  it("begins anew a minute after the first load, and says when", () => {
    let nowMs = 1;
    const { admit } = createQuota(2, { now: () => nowMs });
    expect(admit("one", 1)).toBeUndefined();
    nowMs += 20_000;
    expect(admit("one", 1)).toBeUndefined();
    expect(admit("one", 1)).toMatchObject(wait(40));
    nowMs += 40_001;
    expect(admit("one", 2)).toBeUndefined();
  });

  it("charges loads already made, even beyond the limit, and refuses nobody who loads nothing", () => {
    const { admit, charge } = createQuota(3);
    charge("one", 5);
    expect(admit("one", 0)).toBeUndefined();
    expect(admit("one", 1)).toMatchObject({ statusCode: 429 });
    expect(admit("other", 1)).toBeUndefined();
  });

  it("admits more than a minute's loads by themselves, which could never pass otherwise", () => {
    const { admit } = createQuota(10);
    expect(admit("one", 25)).toBeUndefined();
    expect(admit("one", 1)).toMatchObject({ statusCode: 429 });
  });
});
