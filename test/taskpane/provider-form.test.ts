import { describe, expect, it } from "@jest/globals";
import { findMistake, sortMistakes } from "../../src/taskpane/settings/ProviderForm";

describe("a field of the form", () => {
  it.each([
    ["baseUrl", "https://feed.example.com/base/", null],
    ["baseUrl", " HTTPS://feed.example.com:8443 ", null],
    ["baseUrl", "http://127.0.0.1:9000", null],
    ["baseUrl", "http://[::1]:9000", null],
    ["baseUrl", "", "missing"],
    ["baseUrl", "feed.example.com", "noAddress"],
    ["baseUrl", "https://", "noAddress"],
    ["baseUrl", "javascript:alert(1)", "noAddress"],
    ["baseUrl", "http://feed.example.com", "insecure"],
    ["baseUrl", "http://127.0.0.1.example.com", "insecure"],
    ["baseUrl", "https://me:secret@feed.example.com", "crowded"],
    ["baseUrl", "https://feed.example.com/?x=1", "crowded"],
    ["baseUrl", "https://feed.example.com/base/token/", "endpoint"],
    ["clientId", "client 1", null],
    ["clientId", " \t", "missing"],
    ["keyId", "k".repeat(200), null],
    ["keyId", "k".repeat(201), "unprintable"],
    ["keyId", "a\u0000b", "unprintable"],
  ] as const)("%s with %j: %s", (field, written, mistake) => {
    expect(findMistake(field, written)).toBe(mistake);
  });

  it("gets the companion's sentences that start with its name; the others belong to none", () => {
    const other = "thumbprint is of no key that was made here.";
    expect(sortMistakes(["keyId is missing: x.", other, "baseUrl must begin with https://."])).toEqual({
      ofFields: { keyId: "keyId is missing: x.", baseUrl: "baseUrl must begin with https://." },
      others: [other],
    });
  });
});
