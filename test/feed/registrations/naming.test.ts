import { describe, expect, it } from "@jest/globals";
import { isRegistration, toAmbiguous, toChanged } from "../../../src/feed/registrations/resolve";

describe("a registration number", () => {
  it.each([
    ["0107", "0107", true],
    [" ab1 ", "AB1", true],
    [107, "107", true],
    ["107", "0107", false],
    [107, "0107", false],
    [null, "null", false],
    [undefined, "", false],
    [{}, "[object Object]", false],
  ])("%j of an answer is the number %j: %p", (value, registrationNumber, is) => {
    expect(isRegistration(value, registrationNumber)).toBe(is);
  });

  it("of several companies lists five of them with their differences", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const records = [
      { id: "A", companyName: "Sakura Foods", registeredAddress: { country: "JPN", city: "Osaka" } },
      { id: "b", companyName: "Orchid Foods", registeredAddress: null },
    ];
    expect(toAmbiguous("7", { ids, count: 7, records })).toMatchObject({
      code: "FEED_AMBIGUOUS",
      message:
        '"7" names 7 companies: "a" (Sakura Foods, JPN, Osaka); "b" (Orchid Foods); "c"; "d"; "e" and 2 more; put one of the quoted ids in place of the number',
    });
  });

  it("that named another company before says when", () => {
    const toNamed = (companyId: string, day: string) => ({ companyId, atMs: Date.parse(day) });
    const evidence = {
      first: toNamed("a", "2026-03-05"),
      search: toNamed("a", "2026-03-05"),
      financials: toNamed("b", "2026-03-09"),
    };
    expect(toChanged("7", evidence).message).toBe(
      '"7" does not always name the same company: "a" (2026-03-05), "b" (2026-03-09); put one of the quoted ids in place of the number',
    );
  });
});
