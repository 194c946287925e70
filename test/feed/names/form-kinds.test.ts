import { describe, expect, it } from "@jest/globals";
import { contradictsForm, isLegalForm } from "../../../src/feed/names/form-kinds";
import CASES from "./form-kinds.json";

describe("the legal form of a written name", () => {
  it.each(CASES.agree as [string, string, string][])("agrees: %s for %s of %s", (written, name, country) => {
    expect(contradictsForm(written, [name], country)).toBe(false);
  });

  it.each(CASES.contradict as [string, string, string][])("contradicts: %s for %s of %s", (written, name, country) => {
    expect(contradictsForm(written, [name], country)).toBe(true);
  });

  it("is compared with all names of a company, and says nothing where its country is unknown", () => {
    expect(contradictsForm("Komorebi Paper Ltd.", ["有限会社コモレビ製紙", "Komorebi Paper Ltd."], "JPN")).toBe(false);
    expect(contradictsForm("Komorebi Paper GmbH", ["Komorebi Paper"], "")).toBe(false);
  });

  it.each(CASES.alone)("stands alone: %s", (text) => {
    expect(isLegalForm(text)).toBe(true);
  });

  it.each(CASES.names)("is not alone in %p", (text) => {
    expect(isLegalForm(text)).toBe(false);
  });
});
