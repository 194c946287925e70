import { describe, expect, it } from "@jest/globals";
import { addFailing, type Crowd, createPlan, isFailing } from "./plan";

const CROWD: Crowd = { analysts: 300, each: 200, companies: 20_000, overMs: 60_000, popularity: 3.3 };

describe("the plan of a simulated firm", () => {
  const plan = createPlan(CROWD, 1);

  it("is the same for the same seed, and different for another", () => {
    expect(createPlan(CROWD, 1)).toEqual(plan);
    expect(createPlan(CROWD, 2)).not.toEqual(plan);
  });

  it("has every analyst arrive within the time, in order, and request each company once", () => {
    const times = plan.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times.at(-1)).toBeCloseTo(CROWD.overMs);
    for (const { companies } of plan) expect(new Set(companies).size).toBe(CROWD.each);
  });

  it("gives a tenth of the companies about half of the draws by popularity, beside its share of the even ones", () => {
    const drawn = plan.flatMap(({ companies }) => companies);
    const share = drawn.filter((company) => company < CROWD.companies / 10).length / drawn.length;
    expect(share).toBeGreaterThan(0.27);
    expect(share).toBeLessThan(0.33);
  });

  it("gives failing companies to every tenth analyst alone, and the same number of companies to all", () => {
    const { visits, failing } = addFailing(plan, CROWD.companies);
    expect(new Set(failing).size).toBe(90);
    for (const visit of visits) {
      expect(visit.companies).toHaveLength(CROWD.each);
      expect(visit.companies.some((company) => failing.includes(company))).toBe(isFailing(visit));
    }
  });
});
