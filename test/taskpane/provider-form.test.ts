import { describe, expect, it } from "@jest/globals";
import { findMistake, sortMistakes } from "../../src/taskpane/settings/ProviderForm";
import CASES from "./provider-form.json";

describe("a field of the form", () => {
  it.each(CASES.fields as [Parameters<typeof findMistake>[0], string, string | null][])(
    "%s with %j: %s",
    (field, written, mistake) => {
      expect(findMistake(field, written)).toBe(mistake);
    },
  );

  it("can have 200 characters, and no more", () => {
    expect([200, 201].map((length) => findMistake("keyId", "k".repeat(length)))).toEqual([null, "unprintable"]);
  });

  it("gets the companion's sentences that start with its name; the others belong to none", () => {
    const other = "thumbprint is of no key that was made here.";
    expect(sortMistakes(["keyId is missing: x.", other, "baseUrl must begin with https://."])).toEqual({
      ofFields: { keyId: "keyId is missing: x.", baseUrl: "baseUrl must begin with https://." },
      others: [other],
    });
  });
});
