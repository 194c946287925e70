import { describe, expect, it } from "@jest/globals";
import { RequestError } from "../../../src/client/errors";
import type { Provider } from "../../../src/client/provider";
import { createBatch } from "../../../src/feed/financials/batch";
import { createClock } from "../../support/clock";
import { startLoading } from "../../support/feed";

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
/** By then a burst has ended, whatever its calls. */
const WINDOW_MS = 8;

describe("the lessons a batch learned about a provider", () => {
  it("save requests until they are forgotten for another client", async () => {
    const clock = createClock();
    const calls: string[] = [];
    const provider: Provider = {
      async load({ operation }) {
        calls.push(operation);
        if (operation === "getFinancialsOfMany") return { body: { data: [], total: 0 } };
        throw new RequestError("FEED_NOT_FOUND", "unknown");
      },
    };
    const batch = createBatch(clock.ports, provider, async () => ({}));
    const count = async () => {
      calls.length = 0;
      const results = Promise.allSettled(
        idsOf(3).map((companyId) => batch.load({ companyId, year: null, ...startLoading() })),
      );
      await clock.advance(WINDOW_MS);
      await results;
      return calls.length;
    };
    const counts = [await count(), await count()];
    batch.forget();
    expect([...counts, await count()]).toEqual([4, 1, 4]);
  });

  it.each([
    ["exclude answers under way when they were forgotten", true, 25],
    ["include every answer if they were not forgotten", false, 2],
  ])("%s", async (_, isForgotten, companiesAtOnce) => {
    const clock = createClock();
    const element = (companyId: string) => ({ companyId, years: [{ year: 2022 }, { year: 2023 }] });
    const answerLast: (() => void)[] = [];
    const provider: Provider = {
      load({ path, body }) {
        if (path !== undefined) {
          const reply = { body: element(String(path.companyId)) };
          return new Promise((resolve) => answerLast.push(() => resolve(reply)));
        }
        const { companyIds } = body as { companyIds: string[] };
        return Promise.resolve({ body: { data: companyIds.slice(0, 2).map(element), total: 3 } });
      },
    };
    const batch = createBatch(clock.ports, provider, async () => ({}));
    const answers: Promise<unknown>[] = [];
    // A truncation is believed after two chunks.
    for (const ids of [idsOf(3), idsOf(6).slice(3)]) {
      answers.push(...ids.map((companyId) => batch.load({ companyId, year: null, ...startLoading() })));
      await clock.advance(WINDOW_MS);
    }
    if (isForgotten) batch.forget();
    for (const answer of answerLast) answer();
    await Promise.all(answers);
    expect([answerLast.length, batch.companiesAtOnce()]).toEqual([2, companiesAtOnce]);
  });
});
