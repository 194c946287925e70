import { describe, expect, it } from "@jest/globals";
import { listRequests, readCases, runCase } from "./case";

describe("a formula over an API that answers as in the case", () => {
  it.each(readCases().map((each) => [each.name, each] as const))("%s", async (_, each) => {
    const { shown, requests, left } = await runCase(each);
    expect(shown).toEqual(each.expected);
    expect(requests).toEqual(listRequests(each));
    expect(left).toEqual({ queries: 0, timers: 0 });
  });
});
