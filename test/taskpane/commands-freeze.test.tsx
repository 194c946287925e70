/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react/pure";
import type { CopyStep, FrozenCell, Place, Scope, Workbook } from "../../src/contract/workbook";
import { openWholePane, toCell } from "./open-whole-pane";
import { press, receive, said, serveSessions, session } from "./pane-sessions";

serveSessions(10);

describe("Freeze", () => {
  it.each([
    ["freezeSelection", "in the selection?"],
    ["freezeSheet", "on this sheet?"],
    ["freezeWorkbook", "in the whole workbook?"],
  ] as const)("asks first: %s", async (command, where) => {
    const frozen: Scope[] = [];
    const freeze = async (scope: Scope) => {
      frozen.push(scope);
      return { formulas: 2, left: [] };
    };
    openWholePane(session, { cells: [toCell("A1"), toCell("A2")], workbook: { freeze } }).press(command);
    await receive(`in the place of 2 FEED formulas ${where}`);
    expect(frozen).toEqual([]);
    press("Freeze 2 FEED formulas");
    await receive("2 formulas are values now.");
    expect(frozen).toHaveLength(1);
  });

  it("explains that the formulas are stored, and how to thaw them", async () => {
    openWholePane(session, { cells: [toCell("A1")] }).press("freezeSheet");
    await receive("The workbook keeps the formulas: Thaw, in the menu (⋯), brings them back.");
  });

  it("changes nothing when the question is closed", async () => {
    const freeze = () => Promise.reject(new Error("frozen"));
    openWholePane(session, { cells: [toCell("A1")], workbook: { freeze } }).press("freezeSelection");
    await receive("1 FEED formula in the selection?");
    press("Close");
    await waitFor(() => expect(said()).not.toContain("FEED formula"));
  });

  it("names the formulas it skipped, since they show no value", async () => {
    const left = ["B1", "B2", "B3", "B4", "B5", "B6"].map((address) => toCell(address, "#BUSY!", "My sheet"));
    const freeze = async () => ({ formulas: 1, left });
    openWholePane(session, { cells: [toCell("A1")], workbook: { freeze } }).press("freezeSelection");
    await receive("FEED formula");
    press("Freeze 1 FEED formula");
    await receive(/1 formula is a value now\. 6 formulas were left.*'My sheet'!B1, .*'My sheet'!B5 and others\./);
  });

  it("asks again if the selection has changed", async () => {
    let selected = [toCell("A1")];
    const frozen: number[] = [];
    const workbook = {
      listFeedCells: async () => selected,
      freeze: async (_: Scope, places: readonly Place[] = []) => {
        if (places !== selected) throw Object.assign(new Error("other cells"), { fault: "missing" });
        frozen.push(selected.length);
        return { formulas: selected.length, left: [] };
      },
    };
    openWholePane(session, { workbook }).press("freezeSelection");
    await receive("1 FEED formula in the selection?");
    selected = [toCell("C1"), toCell("C2")];
    press("Freeze 1 FEED formula");
    await receive("2 FEED formulas in the selection?");
    expect(frozen).toEqual([]);
    press("Freeze 2 FEED formulas");
    await receive("2 formulas are values now.");
  });

  it("reports that there is nothing to freeze", async () => {
    openWholePane(session).press("freezeSheet");
    await receive("This sheet holds no FEED formula to freeze.");
  });

  it("says what to do while a cell is being edited", async () => {
    const { fake, press: pressRibbon } = openWholePane(session, { cells: [toCell("A1")] });
    fake.refuse("editing");
    pressRibbon("freezeSelection");
    await receive("A cell is being edited. Press Enter or Esc in it, then try again.");
  });
});

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
    openWholePane(session, { workbook }).press(command);
    await receive(`Put 2 FEED formulas back in the place of the values ${where}`);
    expect(thawed).toEqual([]);
    press("Thaw 2 FEED formulas");
    await receive("2 FEED formulas are back.");
    expect(thawed).toEqual([scope]);
  });

  it("lists the cells that it leaves, before and after, and reports deleted ones", async () => {
    const left = [toFrozen("B1", false), toFrozen("B2", false)];
    const thaw = async () => ({ formulas: 1, left, gone: 3 });
    openWholePane(session, { workbook: withFrozen([toFrozen("A1"), ...left], { thaw }) }).press("thawSheet");
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
    openWholePane(session, { workbook: { listFrozen: async () => cells, thaw } }).press("thawSelection");
    await receive("Put 1 FEED formula back");
    cells = [toFrozen("C1"), toFrozen("C2")];
    press("Thaw 1 FEED formula");
    await receive("Put 2 FEED formulas back");
    press("Thaw 2 FEED formulas");
    await receive("2 FEED formulas are back.");
  });

  it("offers nothing if no formula is frozen, or all frozen cells have changed", async () => {
    openWholePane(session, { workbook: withFrozen([]) }).press("thawWorkbook");
    await receive("This workbook holds no value that was frozen and whose formula is kept.");
    cleanup();
    openWholePane(session, { workbook: withFrozen([toFrozen("B1", false)]) }).press("thawWorkbook");
    await receive(/1 value is left, .*Sheet1!B1/);
    expect(screen.queryByRole("button", { name: /^Thaw \d/ })).toBeNull();
  });

  it("explains how to thaw a protected sheet", async () => {
    const refusal = Object.assign(new Error("protected"), { fault: "protected", place: toFrozen("A1") });
    const workbook = withFrozen([toFrozen("A1")], { thaw: () => Promise.reject(refusal) });
    openWholePane(session, { workbook }).press("thawSheet");
    await receive("Put 1 FEED formula back");
    press("Thaw 1 FEED formula");
    await receive("Sheet1!A1 is protected. Unprotect it (Review tab), or choose another place.");
  });
});

describe("Copy as values", () => {
  it("shows each step, and the result of the copy", async () => {
    let next = () => {};
    const copyValues = async (notify: (step: CopyStep) => void) => {
      for (const step of ["freezing", "reading", "thawing", "opening"] as const) {
        notify(step);
        await new Promise<void>((resolve) => {
          next = resolve;
        });
      }
      return { left: [], changed: [] };
    };
    openWholePane(session, { workbook: { copyValues } }).press("copyValues");
    for (const step of [1, 2, 3, 4]) {
      await receive(`Copy as values, step ${step} of 4`);
      next();
    }
    await receive("The copy is open in a window of its own and shows values only.");
  });

  it("lists the cells without a value in the copy, and the formulas that did not come back", async () => {
    const changed = [{ sheet: "Sheet1", address: "C3", formula: "=FEED.STATUS()", isAsFrozen: false }];
    const copyValues = async () => ({ left: [toCell("B1", "#N/A")], changed });
    openWholePane(session, { workbook: { copyValues } }).press("copyValues");
    await receive(
      /1 FEED formula shows no value and stands in the copy as before: Sheet1!B1\..*1 value is left.*Sheet1!C3/,
    );
  });

  it("explains a refusal of the workbook", async () => {
    const refusal = Object.assign(new Error("No second workbook."), { fault: "refused" });
    openWholePane(session, { workbook: { copyValues: () => Promise.reject(refusal) } }).press("copyValues");
    await receive("The workbook did not take it: No second workbook.");
  });

  it("is not to be tried again in a host that opens no copies", async () => {
    const refusal = Object.assign(new Error("No second workbook."), { fault: "noCopies" });
    openWholePane(session, { workbook: { copyValues: () => Promise.reject(refusal) } }).press("copyValues");
    await receive(/\nThe playground holds one workbook only\. In Excel, this opens a copy of it\.✕/);
  });
});
