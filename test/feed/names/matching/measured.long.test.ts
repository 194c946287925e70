import { beforeAll, describe, expect, it } from "@jest/globals";
import { MEASURED } from "../../../../src/reference/matching";
import { type Figures, readFigures } from "./figures";

let figures: Figures;
beforeAll(async () => {
  figures = await readFigures(1);
}, 180_000);

describe("synthetic names, a tenth of them without a company", () => {
  it("give the confusion that the reference page shows", () => {
    const { companies, names, confusion } = figures;
    expect({ companies, names, states: confusion }).toEqual(MEASURED);
  });

  it("give the right company where they are exact or sure, in 99.5 % at least", () => {
    expect(figures.synthetic.acceptedRight).toBeGreaterThanOrEqual(0.995);
  });

  it("find the company, taken or among five, for 97 % at least", () => {
    expect(figures.synthetic.found).toBeGreaterThanOrEqual(0.97);
  });

  it("need no review for 85 % at least", () => {
    expect(figures.synthetic.withoutReview).toBeGreaterThanOrEqual(0.85);
  });

  it("give no company for a name that has none", () => {
    expect(figures.synthetic.absentAccepted).toBe(0);
  });
});

describe("300 names written by hand, of which 48 mean no company of the index alone", () => {
  it("give the right company wherever they give one", () => {
    expect(figures.written).toMatchObject({ acceptedRight: 1, absentAccepted: 0 });
  });

  it("find 97 % of the companies, and need no review for 87 %", () => {
    expect(figures.written.found).toBeGreaterThanOrEqual(0.97);
    expect(figures.written.withoutReview).toBeGreaterThanOrEqual(0.87);
  });
});

describe("346 names written by hand that the rules were made with", () => {
  it("give the right company wherever they give one", () => {
    expect(figures.development).toMatchObject({ acceptedRight: 1, absentAccepted: 0 });
  });

  it("find 98 % of the companies, and need no review for 87 %", () => {
    expect(figures.development.found).toBeGreaterThanOrEqual(0.98);
    expect(figures.development.withoutReview).toBeGreaterThanOrEqual(0.87);
  });
});
