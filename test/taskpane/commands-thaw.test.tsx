/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen } from "@testing-library/react/pure";
import type { FrozenCell, Place, Scope, Workbook } from "../../src/contract/workbook";
import { openWholePane } from "./open-whole-pane";
import { openSessions, receive } from "./pane-sessions";

const opened = openSessions(10);

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

const toFrozen = (address: string, isAsFrozen = true): FrozenCell => ({
  sheet: "Sheet1",
  address,
  formula: "=FEED.STATUS()",
  isAsFrozen,
});

/** A workbook with some frozen cells. */
function withFrozen(cells: FrozenCell[], others: Partial<Workbook> = {}): Partial<Workbook> {
  return { listFrozen: async () => cells, ...others };
}

describe("Thaw", () => {
  it.each([
    ["thawSelection", "selection", "in the selection?"],
    ["thawSheet", "sheet", "on this sheet?"],
    ["thawWorkbook", "workbook", "in the whole workbook?"],
  ] as const)("asks first: %s", async (command, scope, where) => {
    const thawed: Scope[] = [];
    const thaw = async (meant: Scope) => {
      thawed.push(meant);
      return { formulas: 2, left: [], gone: 0 };
    };
    const workbook = withFrozen([toFrozen("A1"), toFrozen("A2")], { thaw });
    openWholePane(opened.session, { workbook }).press(command);
    await receive(`Put 2 FEED formulas back in the place of the values ${where}`);
    expect(thawed).toEqual([]);
    press("Thaw 2 FEED formulas");
    await receive("2 FEED formulas are back.");
    expect(thawed).toEqual([scope]);
  });

  it("lists the cells that it leaves, before and after, and reports deleted ones", async () => {
    const left = [toFrozen("B1", false), toFrozen("B2", false)];
    const thaw = async () => ({ formulas: 1, left, gone: 3 });
    openWholePane(opened.session, { workbook: withFrozen([toFrozen("A1"), ...left], { thaw }) }).press("thawSheet");
    await receive(/Put 1 FEED formula back.*2 values are left, .*: Sheet1!B1, Sheet1!B2\./);
    press("Thaw 1 FEED formula");
    await receive(/1 FEED formula is back\. 2 values are left.*3 FEED formulas are no longer kept/);
  });

  it("asks again if the frozen cells have changed since", async () => {
    let cells = [toFrozen("A1")];
    const thaw = async (_: Scope, places: readonly Place[] = []) => {
      if (places !== cells) throw Object.assign(new Error("other cells"), { fault: "missing" });
      return { formulas: cells.length, left: [], gone: 0 };
    };
    openWholePane(opened.session, { workbook: { listFrozen: async () => cells, thaw } }).press("thawSelection");
    await receive("Put 1 FEED formula back");
    cells = [toFrozen("C1"), toFrozen("C2")];
    press("Thaw 1 FEED formula");
    await receive("Put 2 FEED formulas back");
    press("Thaw 2 FEED formulas");
    await receive("2 FEED formulas are back.");
  });

  it("offers nothing if no formula is frozen, or all frozen cells have changed", async () => {
    openWholePane(opened.session, { workbook: withFrozen([]) }).press("thawWorkbook");
    await receive("This workbook holds no value that was frozen and whose formula is kept.");
    cleanup();
    openWholePane(opened.session, { workbook: withFrozen([toFrozen("B1", false)]) }).press("thawWorkbook");
    await receive(/1 value is left, .*Sheet1!B1/);
    expect(screen.queryByRole("button", { name: /^Thaw \d/ })).toBeNull();
  });

  it("explains how to thaw a protected sheet", async () => {
    const refusal = Object.assign(new Error("protected"), { fault: "protected", place: toFrozen("A1") });
    const workbook = withFrozen([toFrozen("A1")], { thaw: () => Promise.reject(refusal) });
    openWholePane(opened.session, { workbook }).press("thawSheet");
    await receive("Put 1 FEED formula back");
    press("Thaw 1 FEED formula");
    await receive("Sheet1!A1 is protected. Unprotect it (Review tab), or choose another place.");
  });
});
