import { describe, expect, it } from "@jest/globals";
import { NO_LESSONS } from "../../../src/client/batch/planner";
import type { Provider } from "../../../src/client/provider";
import { loadChunk } from "../../../src/feed/financials/batch";

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

describe("a chunk of companies", () => {
  it.each([
    [1, 25, ["getCompanyFinancials", "getFinancialsOfMany"]],
    [2, 1, ["getCompanyFinancials", "getCompanyFinancials", "getFinancialsOfMany"]],
  ])("with %d that come in pieces is read without them from then on", async (pieces, atOnce, operations) => {
    const requests: string[] = [];
    const provider: Provider = {
      async load({ operation, path, body }) {
        requests.push(operation);
        const years = [{ year: 2022 }, { year: 2023 }];
        if (operation !== "getFinancialsOfMany") return { body: { companyId: path?.companyId, years } };
        const { companyIds } = body as { companyIds: string[] };
        const data = companyIds.flatMap((companyId, index) =>
          index < pieces ? years.map((year) => ({ companyId, years: [year] })) : [{ companyId, years }],
        );
        return {
          body: { data: companyIds.length === 5 ? data : companyIds.map((companyId) => ({ companyId, years })) },
        };
      },
    };
    const chunk = { provider, memory: { lessons: NO_LESSONS }, year: null, options: {} };
    await loadChunk(chunk, idsOf(5));
    expect(chunk.memory.lessons.companiesAtOnce).toBe(atOnce);
    requests.length = 0;
    expect((await loadChunk(chunk, idsOf(5))).size).toBe(5);
    expect(requests.sort()).toEqual(operations);
  });
});
