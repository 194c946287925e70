import { describe, expect, it } from "@jest/globals";
import { createIndexOf, listIds } from "./index-rows";
import CASES from "./ranking.json";

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
/** Named after how well they match "Sakura" and "さくら"; in no order. */
const INDEX = createIndexOf(CASES.companies);

const search = (text: string) => listIds(INDEX.search(text, 10).rows);

describe("the best match", () => {
  const RANKED = ["exact", "beginning", "longer", "word", "inside"];

  it.each(CASES.japanese as [string, string][])("comes first: exact, beginning, inside, %s", (_, text) => {
    // Japanese writes no spaces between words, so those of a name tell nothing.
    expect(search(text)).toEqual(["exact", "beginning", "longer", "inside", "word"]);
  });

  it.each(CASES.english as [string, string][])("comes first: exact, beginning, word, inside, %s", (_, text) => {
    expect(search(text)).toEqual(RANKED);
  });

  it.each(CASES.codes as [string, string, string[]][])("is found by %s", (_, text, ids) => {
    expect(search(text)).toEqual(ids);
  });

  it("is the one with the text's legal form, then the others of that name", () => {
    const index = createIndexOf({
      limited: { companyFormalName: "有限会社高島" },
      spelt: { companyFormalName: "㈱髙島" },
      stock: { companyFormalName: "高島株式会社" },
    });
    const find = (text: string) => listIds(index.search(text, 10).rows);
    expect(find("㈱髙島")).toEqual(["spelt", "limited", "stock"]);
    expect(find("高島㈱")).toEqual(["stock", "limited", "spelt"]);
    expect(find("高島")).toEqual(["limited", "spelt", "stock"]);
  });

  it("of an id is the company alone", () => {
    expect(listIds(INDEX.match(ID).rows)).toEqual([ID]);
    expect(INDEX.match(ID.replace("3d", "4d")).total).toBe(0);
  });
});
