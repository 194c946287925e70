import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createRedact } from "../../src/companion/redaction";

const SECRET = randomBytes(96).toString("base64");

describe("redaction", () => {
  it("removes any 16 characters of a secret", () => {
    const redact = createRedact([SECRET]);
    for (let at = 0; at + 16 <= SECRET.length; at++) {
      expect(redact(`no ${SECRET.slice(at, at + 16)} here`)).toBe("no ... here");
    }
  });

  it("removes adjacent and repeated parts", () => {
    const part = SECRET.slice(20, 50);
    expect(createRedact([SECRET])(`${part}${part} and ${part}.`)).toBe("... and ....");
  });

  it("removes short secrets whole, and no word that a secret happens to contain", () => {
    expect(createRedact(["short-one", "", `${SECRET}companion`])("short-one of the companion")).toBe(
      "... of the companion",
    );
  });
});
