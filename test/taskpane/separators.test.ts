import { afterEach, expect, it } from "@jest/globals";
import { learn, separators, toLocalFormula, withSeparators } from "../../src/taskpane/separators";

const GERMAN = ["=SUM(A1,A2)", "=SUMME(A1;A2)", ","] as const;

afterEach(() => learn("=A(1,2)", "=A(1,2)", "."));

it("a formula is shown with commas until a cell has told the separators, and in the address of help nothing stands", () => {
  expect(separators.known()).toBe("");
  expect([toLocalFormula("=SUM(A1,0.5)"), withSeparators("/reference/index.html")]).toEqual([
    "=SUM(A1,0.5)",
    "/reference/index.html",
  ]);
});

it.each([
  ["Tokyo, Japan", "Tokyo, Japan"],
  [12.5, 12.5],
  ["", ""],
  [undefined, undefined],
  ['=FEED.STATUS("a,b")', '=FEED.STATUS("a,b")'],
])("a cell with %j tells nothing", (english, local) => {
  learn(...GERMAN);
  learn(english, local, ".");
  expect(separators.known()).toBe(";,\\");
});

it("subscribers are notified of others alone", () => {
  let changes = 0;
  const end = separators.subscribe(() => changes++);
  learn(...GERMAN);
  learn(...GERMAN);
  learn("=MAX(B1,B2,B3)", "=MAX(B1;B2;B3)", ",");
  end();
  expect(changes).toBe(1);
});
