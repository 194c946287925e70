import { describe, expect, it } from "@jest/globals";
import { createBatch } from "../../src/feed/batch";
import { RequestError } from "../../src/feed/errors";
import type { Provider } from "../../src/feed/provider";
import { createClock } from "../support/clock";

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
/** By then a window is closed, whoever asked in it. */
const WINDOW_MS = 8;
const alive = () => new AbortController().signal;

describe("what a batch learnt of a provider", () => {
  it("spares requests until it is forgotten, as for another client", async () => {
    const clock = createClock();
    const calls: string[] = [];
    const provider: Provider = {
      async load({ operation }) {
        calls.push(operation);
        if (operation === "getFinancialsOfMany") return { body: { data: [], total: 0 } };
        throw new RequestError("FEED_NOT_FOUND", "unknown");
      },
    };
    const batch = createBatch(clock.ports, provider);
    const count = async () => {
      calls.length = 0;
      const asked = Promise.allSettled(
        idsOf(3).map((companyId) => batch.load({ companyId, year: null, signal: alive() })),
      );
      await clock.advance(WINDOW_MS);
      await asked;
      return calls.length;
    };
    const counts = [await count(), await count()];
    batch.forget();
    expect([...counts, await count()]).toEqual([4, 1, 4]);
  });

  it.each([
    [true, 25],
    [false, 2],
  ])("is nothing of what was under way when it was forgotten (%s)", async (isForgotten, companiesAtOnce) => {
    const clock = createClock();
    const element = (companyId: string) => ({ companyId, years: [{ year: 2022 }, { year: 2023 }] });
    let answerLast = () => {};
    const provider: Provider = {
      load: ({ path }) =>
        path === undefined
          ? Promise.resolve({ body: { data: ["c0", "c1"].map(element), total: 3 } })
          : new Promise((resolve) => (answerLast = () => resolve({ body: element("c2") }))),
    };
    const batch = createBatch(clock.ports, provider);
    const asked = Promise.all(idsOf(3).map((companyId) => batch.load({ companyId, year: null, signal: alive() })));
    await clock.advance(WINDOW_MS);
    if (isForgotten) batch.forget();
    answerLast();
    await asked;
    expect(batch.companiesAtOnce()).toBe(companiesAtOnce);
  });
});
