import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { HostProfile } from "../../src/playground/hosts/profile";
import { toOutcome } from "../office/deliveries";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { CALLS, type Facts, readFacts } from "../support/formula-calls";
import { NAMED_HOSTS } from "./named-hosts";
import { DECLARED, type PlayedHost, playHost } from "./played-host";

let companion: RunningCompanion;
let facts: Facts;
let id: string;
let excel: PlayedHost;

beforeAll(async () => {
  companion = await startCompanion({ companies: 100 });
  facts = await readFacts(await createDirectReading(companion.origin));
  id = facts.companies[0]?.id as string;
});
afterAll(() => companion.close());

type Declared = (typeof DECLARED)[number];

/** A month is a whole range, so that `end` can be left out. */
const START = "2024-01";

/** The formula's required arguments, and all optional ones as references to blank cells, or left out. */
function toGiven({ id: name, parameters }: Declared, blank: HostProfile["blankCell"]["value"] | undefined) {
  const sensible = CALLS[name]!(facts, id).parameters;
  return parameters.map(({ name: parameter, optional, dimensionality }, place) => {
    if (parameter === "start") return START;
    if (optional !== true) return sensible[place];
    return blank !== undefined && dimensionality === "matrix" ? [[blank]] : blank;
  });
}

/** An error inside a range, in each form that hosts are known to send. */
const ERRORS = [
  [
    "as an error of functions",
    { code: "#DIV/0!", type: "CustomFunctionError" },
    { allowErrors: true, richData: false },
  ],
  ["as a data type", { value: JSON.stringify({ type: "Error", basicType: "Error", basicValue: "#DIV/0!" }) }, {}],
  ["as a bare object", { code: "#DIV/0!", type: "CustomFunctionError" }, { richData: false }],
] as const;

describe.each(NAMED_HOSTS)("in %s", (_, profile) => {
  beforeAll(async () => {
    excel = await playHost(profile, companion.origin);
  });
  afterAll(() => excel.close());

  it.each(DECLARED.map((declared) => [declared.id, declared] as const))(
    "FEED.%s takes references to blank cells for arguments that were left out",
    async (name, declared) => {
      const leftOut = excel.type(name, toGiven(declared, undefined));
      const blank = excel.type(name, toGiven(declared, profile.blankCell.value));
      const rows = name === "STATUS" ? 1 : 0;
      const [expected, shown] = await Promise.all([leftOut, blank].map((cell) => excel.showRows(cell, rows)));
      expect(shown).toEqual(expected);
      expect(expected).toHaveProperty("value");
    },
  );

  it.each(ERRORS)(
    "an error in a range of companies, sent %s, spoils its own row alone",
    async (_form, bad, options) => {
      const given = [[[id], [bad], [profile.blankCell.value], [id]], [["FY0"]], [["Revenue"]]];
      // The result as sent: whether a grid with an error shows each value is the host's affair.
      const sent = toOutcome(await excel.next(excel.type("FINANCIAL", given, { richData: true, ...options })));
      const code = "#DIV/0!";
      expect(sent).toEqual({
        value: [[expect.any(Number)], [{ error: { code, message: "" } }], [""], [expect.any(Number)]],
      });
    },
  );

  it("a single missing figure shows its error with the text", async () => {
    const nobody = "00000000-0000-4000-8000-00000000000a";
    const delivery = await excel.next(excel.type("FINANCIAL", [[[nobody]], [["FY0"]], [["Revenue"]]]));
    const message = expect.stringMatching(/^FEED_NOT_FOUND: .+; .+/);
    expect(excel.show(delivery)).toEqual({ error: { code: "#N/A", message } });
  });

  it("a missing figure in a grid leaves with its text, whatever the host shows of it", async () => {
    const given = [[[id], ["nobody"]], [["FY0"]], [["Revenue"]]];
    const delivery = await excel.next(excel.type("FINANCIAL", given));
    const message = expect.stringMatching(/^FEED_NO_VALUE: /);
    expect(toOutcome(delivery)).toEqual({ value: [[expect.any(Number)], [{ error: { code: "#N/A", message } }]] });
    const shown = excel.show(delivery);
    expect("error" in shown).toBe(profile.errorInArray.value === "#VALUE! alone");
  });
});
