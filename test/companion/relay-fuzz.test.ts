import { describe, expect, it } from "@jest/globals";
import { BASE, expectContractAlone, isContract, openFuzz } from "./relay-fuzz";

openFuzz();

describe("requests with malformed paths, methods and hosts", () => {
  it("reach the provider as operations of the contract alone, and no other server", () => expectContractAlone(300));

  it("are checked by a test that can fail", () => {
    const company = `${BASE}/asia/private-markets/v1/companies`;
    expect([
      isContract("GET", company),
      isContract("GET", `${company}/id-1`),
      isContract("GET", `${company}?page=1`),
    ]).toEqual([true, true, true]);
    const others = ["/..", "/", "/a/b", "/%2e%2e", "/.a", "x", "?a=b?c", "/a;b", "/a%2fb"].map((end) => company + end);
    expect(others.filter((url) => isContract("GET", url))).toEqual([]);
    expect(isContract("DELETE", company)).toBe(false);
    expect(isContract("GET", company.slice(BASE.length))).toBe(false);
  });
});
