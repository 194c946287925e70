import { describe, expect, it } from "@jest/globals";
import { expectDistinct, toNeed } from "./capacity";
import { addFailing, type Crowd, countAlone, countDistinct, createPlan, isFailing } from "./plan";

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

describe("a request for every new company at once, without waiting,", () => {
  it("takes one for each 25 companies not requested before, full or not", () => {
    const visit = (analyst: number, from: number, to: number) => ({
      ...{ analyst, atMs: analyst, companies: Array.from({ length: to - from }, (_, place) => from + place) },
    });
    expect(countAlone([visit(0, 0, 26)], 25)).toBe(2);
    expect(countAlone([visit(0, 0, 26), visit(1, 10, 27), visit(2, 0, 27)], 25)).toBe(3);
  });
});

describe("a firm's capacity", () => {
  const constants = {
    requestsPerFull: 1.1,
    storeBytesPerCompany: 5_000,
    cpuSecondsPerAnswer: 0.001,
    instanceBytes: 2e8,
  };

  it.each([[30], [100], [300]])("expects as many distinct companies as %d analysts request, within 4 %", (analysts) => {
    const crowd = { ...CROWD, analysts };
    const drawn = countDistinct(createPlan(crowd, 1));
    expect(Math.abs(expectDistinct(crowd) / drawn - 1)).toBeLessThan(0.04);
  });

  it("never exceeds one request for every company, however many analysts there are", () => {
    const { distinct, requests } = toNeed({ ...CROWD, analysts: 50_000 }, constants);
    expect(distinct).toBeLessThanOrEqual(CROWD.companies);
    expect(Math.floor(requests)).toBeLessThanOrEqual(880);
  });

  it("counts cores by the answers in the time, with reserve and one spare instance", () => {
    const need = toNeed(CROWD, constants);
    expect(need.cores).toBeCloseTo(1);
    expect(need.instances).toBe(3);
    expect(need.instanceBytes).toBe(6e8);
    expect(need.storeBytes).toBe(need.distinct * 5_000);
  });
});
