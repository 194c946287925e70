import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { toHash } from "../../../src/companion/api/pairing-codes";
import { createPersonCodes } from "../../../src/companion/sign-in";
import { createMemoryOneTimeValues } from "../../../src/companion/stores/memory";

const SIGNED_IN = { person: { id: "https://login.example.com ada", roles: ["analyst"] }, endsAtMs: 1 };
const MINUTE_MS = 60_000;
const SECRET = "of the pane that asked";
const PANE = toHash(SECRET);

afterEach(() => {
  jest.restoreAllMocks();
});

describe("a code of a person who signed in", () => {
  it.each([
    ["is valid for five minutes", 5 * MINUTE_MS - 100, SIGNED_IN],
    ["is invalid afterwards", 5 * MINUTE_MS + 100, undefined],
  ])("%s", async (_, passedMs, found) => {
    const codes = createPersonCodes(createMemoryOneTimeValues());
    const issuedAt = performance.now();
    const clock = jest.spyOn(performance, "now").mockReturnValue(issuedAt);
    const code = await codes.issue(SIGNED_IN, PANE);
    clock.mockReturnValue(issuedAt + passedMs);
    expect(await codes.take(`${code}.${SECRET}`)).toEqual(found);
  });

  it("is valid for the pane that began the sign-in, whatever another pane tries", async () => {
    const codes = createPersonCodes(createMemoryOneTimeValues());
    const code = await codes.issue(SIGNED_IN, PANE);
    for (const sent of [code, `${code}.another`, `${code}.${PANE}`, `.${SECRET}`]) {
      expect(await codes.take(sent)).toBeUndefined();
    }
    expect(await codes.take(`${code}.${SECRET}`)).toEqual(SIGNED_IN);
    expect(await codes.take(`${code}.${SECRET}`)).toBeUndefined();
  });

  it("is stored in a form that cannot be typed", async () => {
    const oneTimeValues = createMemoryOneTimeValues();
    const stored: string[] = [];
    const put: typeof oneTimeValues.put = (key, value, lifetimeMs) => {
      stored.push(key, JSON.stringify(value));
      return oneTimeValues.put(key, value, lifetimeMs);
    };
    const code = await createPersonCodes({ ...oneTimeValues, put }).issue(SIGNED_IN, PANE);
    expect(stored).toHaveLength(2);
    expect(stored.join()).not.toMatch(new RegExp(`${code}|${code.replace("-", "")}`, "i"));
  });
});
