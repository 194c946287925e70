import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { MEASURED } from "../../../../src/reference/matching";
import type { Confusion, measure } from "./measure";

interface Figures {
  companies: number;
  names: number;
  confusion: Confusion;
  synthetic: ReturnType<typeof measure>;
  written: ReturnType<typeof measure>;
  development: ReturnType<typeof measure>;
}

const ROOT = join(__dirname, "../../../..");

let figures: Figures;
// In a process of its own, since the tests' sandbox slows the matcher to a tenth of its speed.
beforeAll(async () => {
  const program = ["--require", join(ROOT, "test/support/typescript.cjs"), join(__dirname, "print-measured.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT });
  figures = JSON.parse(stdout);
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
