import { beforeAll, describe, expect, it } from "@jest/globals";
import { MEASURED } from "../../../../src/reference/names";
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

  it("give no company for a name that has none", () => {
    expect(figures.synthetic.absentAccepted).toBe(0);
  });
});

it.each([
  ["300 names written by hand, of which 48 mean no company of the index alone", "written"],
  ["346 names written by hand that the rules were made with", "development"],
] as const)("%s give the right company wherever they give one", (_, which) => {
  expect(figures[which]).toMatchObject({ acceptedRight: 1, absentAccepted: 0 });
});

it.each([
  ["synthetic", "acceptedRight", 0.995, "that give the right company where they are exact or sure"],
  ["synthetic", "found", 0.97, "whose company is found, taken or among five"],
  ["synthetic", "withoutReview", 0.85, "that need no review"],
  ["written", "found", 0.97, "whose company is found"],
  ["written", "withoutReview", 0.84, "that need no review"],
  ["development", "found", 0.98, "whose company is found"],
  ["development", "withoutReview", 0.84, "that need no review"],
] as const)("of %s names, %s is at least %d: the share %s", (which, share, least, _what) => {
  expect(figures[which][share]).toBeGreaterThanOrEqual(least);
});

describe("75 names each with the company's legal form, none, one of another kind and one of another country", () => {
  it.each(["own", "none", "wrong", "foreign"] as const)("are never taken for another company: %s", (written) => {
    const { names, wrong, falselyExact } = figures.forms[written];
    expect({ names, wrong, falselyExact }).toEqual({ names: 75, wrong: [], falselyExact: [] });
  });

  it("need no review with the company's own form or none, and always with another one", () => {
    const { own, none, wrong, foreign } = figures.forms;
    expect([own, none].map(({ taken, read }) => [taken, read])).toEqual([
      [75, 75],
      [75, 75],
    ]);
    expect([wrong, foreign].map(({ reviewed, refused }) => [reviewed, refused])).toEqual([
      [75, 75],
      [75, 75],
    ]);
  });
});
