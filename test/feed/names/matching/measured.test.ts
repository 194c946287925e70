import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { MEASURED } from "../../../../src/reference/matching";
import { createDirtyNames } from "./dirty-names";
import { type KnownName, matchKnown, measure, type Outcome, toConfusion } from "./measure";
import { createEnglishNames, createIndexes, createSandboxRows } from "./sandbox-companies";

/** No name of this seed was seen while the matcher was calibrated. */
const HELD_OUT_SEED = 20_261_125;

const rows = createSandboxRows();
const indexOf = createIndexes(rows);

describe("synthetic names, a tenth of them without a company", () => {
  let outcomes: Outcome[];
  beforeAll(async () => {
    outcomes = await matchKnown(createDirtyNames(rows, createEnglishNames(), HELD_OUT_SEED, MEASURED.names), indexOf);
  }, 180_000);

  it("give the confusion that the reference page shows", () => {
    expect(rows).toHaveLength(MEASURED.companies);
    expect(toConfusion(outcomes)).toEqual(MEASURED.states);
  });

  it("give the right company where they are exact or sure, in 99.5 % at least", () => {
    expect(measure(outcomes).acceptedRight).toBeGreaterThanOrEqual(0.995);
  });

  it("find the company, taken or among five, for 97 % at least", () => {
    expect(measure(outcomes).found).toBeGreaterThanOrEqual(0.97);
  });

  it("need no review for 85 % at least", () => {
    expect(measure(outcomes).withoutReview).toBeGreaterThanOrEqual(0.85);
  });

  it("give no company for a name that has none", () => {
    expect(measure(outcomes).absentAccepted).toBe(0);
  });
});

/** 300 names that a person wrote by hand without the matcher; several companies have 18 of them, 30 have no company. */
describe("names written by hand", () => {
  const written: (Partial<KnownName> & Omit<KnownName, "hints" | "country">)[] = JSON.parse(
    readFileSync(join(__dirname, "written-names.json"), "utf8"),
  );
  let outcomes: Outcome[];
  beforeAll(async () => {
    outcomes = await matchKnown(
      written.map((each) => ({ hints: [], country: "ALL", ...each })),
      indexOf,
    );
  }, 180_000);

  it("give the right company wherever they give one", () => {
    expect(measure(outcomes)).toMatchObject({ acceptedRight: 1, absentAccepted: 0 });
  });

  it("find 96 % of the companies, and need no review for 78 %", () => {
    expect(measure(outcomes).found).toBeGreaterThanOrEqual(0.96);
    expect(measure(outcomes).withoutReview).toBeGreaterThanOrEqual(0.78);
  });
});
