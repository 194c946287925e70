import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Figures, readFigures } from "./figures";

let figures: Figures;
beforeAll(async () => {
  figures = await readFigures(10);
}, 120_000);

describe("each tenth of the names that the long tests measure", () => {
  it("gives the same states as ever, of synthetic names", () => {
    expect(figures.confusion).toEqual({
      exact: { right: 18, listed: 0, wrong: 0, absent: 0 },
      sure: { right: 147, listed: 0, wrong: 0, absent: 0 },
      doubtful: { right: 14, listed: 5, wrong: 0, absent: 6 },
      none: { right: 0, listed: 0, wrong: 0, absent: 10 },
    });
  });

  it.each(["written", "development"] as const)("gives the right company, of %s names", (which) => {
    expect(figures[which]).toMatchObject({ acceptedRight: 1, found: 1, absentAccepted: 0 });
    expect(figures[which].withoutReview).toBeGreaterThan(0.84);
  });

  it("takes each name with the company's own legal form or none, and none with another form", () => {
    const { own, none, wrong, foreign } = figures.forms;
    const [names, nothing] = [8, { wrong: [], falselyExact: [] }];
    const right = { names, taken: names, reviewed: 0, read: names, refused: 0, ...nothing };
    expect([own, none]).toEqual([right, right]);
    const refused = { names, taken: 0, reviewed: names, read: 0, refused: names, ...nothing };
    expect([wrong, foreign]).toEqual([refused, refused]);
  });
});
