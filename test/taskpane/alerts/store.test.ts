import { afterEach, describe, expect, it } from "@jest/globals";
import { createAlertStore } from "../../../src/taskpane/alerts/store";
import { removeOffice, setOffice } from "../../tools/match/office-settings";

const ALERT = {
  ...{ kind: "enters", amount: 50, sheet: "s1", sheetName: "Movers", code: "1001", name: "Aoba" },
  ...{ ranking: "companies", former: { first: "2024-03-11", last: "2024-03-17" } },
  ...{ first: "2024-03-18", last: "2024-03-24", before: null, after: 7, isRead: false, isOver: false },
};

afterEach(removeOffice);

function open(stored: unknown) {
  setOffice().file.set("feed-alerts", stored);
  return createAlertStore();
}

describe("the stored rules and alerts", () => {
  it("come back from the workbook", () => {
    const stored = { rules: { s1: [{ kind: "grows", amount: 30 }] }, alerts: [ALERT] };
    expect(open(stored).state()).toEqual(stored);
  });

  it.each([
    undefined,
    "all",
    { rules: [], alerts: {} },
    {
      rules: { s1: "on" },
      alerts: [{ ...ALERT, before: "12" }, { ...ALERT, name: 5 }, { ...ALERT, former: null }, null],
    },
  ])("are none where the workbook holds %j", (stored) => {
    expect(open(stored).state()).toEqual({ rules: {}, alerts: [] });
  });

  it("leave out a rule that is not known", () => {
    const rules = {
      s1: [
        { kind: "shouts", amount: 1 },
        { kind: "falls", amount: 0 },
        { kind: "falls", amount: 5 },
      ],
    };
    expect(open({ rules }).state().rules).toEqual({ s1: [{ kind: "falls", amount: 5 }] });
  });

  it("are kept on the page, and the reason is given, where Office refuses to store them", async () => {
    setOffice("full");
    const store = createAlertStore();
    await expect(store.change({ alerts: [ALERT as never] })).rejects.toThrow("full");
    expect(store.state().alerts).toHaveLength(1);
  });
});
