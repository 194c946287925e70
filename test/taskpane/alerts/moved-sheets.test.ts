import { describe, expect, it } from "@jest/globals";
import type { Alert, StoredAlerts } from "../../../src/taskpane/alerts/alert";
import { moveSheets } from "../../../src/taskpane/alerts/moved-sheets";

const [ENTERS, FALLS] = [{ kind: "enters", amount: 3 } as const, { kind: "falls", amount: 5 } as const];
const tell = (sheet: string): Alert => ({ sheet, code: "1008" }) as never;

describe("rules and alerts of a sheet with another key", () => {
  it("move there, and others stay", () => {
    const stored: StoredAlerts = { rules: { Ranking: [ENTERS], s2: [FALLS] }, alerts: [tell("s2"), tell("Ranking")] };
    expect(moveSheets(stored, [{ from: "Ranking", to: "s1" }])).toEqual({
      rules: { s1: [ENTERS], s2: [FALLS] },
      alerts: [tell("s2"), tell("s1")],
    });
  });

  it("take the place of rules that another sheet left there", () => {
    const stored: StoredAlerts = { rules: { Ranking: [ENTERS], s1: [FALLS] }, alerts: [] };
    expect(moveSheets(stored, [{ from: "Ranking", to: "s1" }])?.rules).toEqual({ s1: [ENTERS] });
  });

  it("change nothing where there are none", () => {
    const stored: StoredAlerts = { rules: { s2: [FALLS] }, alerts: [tell("s2")] };
    expect(moveSheets(stored, [{ from: "Ranking", to: "s1" }])).toBeNull();
  });
});
