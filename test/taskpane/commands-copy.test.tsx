/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, it } from "@jest/globals";
import type { CopyStep } from "../../src/contract/workbook";
import { openWholePane, toCell } from "./open-whole-pane";
import { openSessions, receive } from "./pane-sessions";

const opened = openSessions(10);

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
    openWholePane(opened.session, { workbook: { copyValues } }).press("copyValues");
    for (const step of [1, 2, 3, 4]) {
      await receive(`Copy as values, step ${step} of 4`);
      next();
    }
    await receive("The copy is open in a window of its own and shows values only.");
  });

  it("lists the cells without a value in the copy, and the formulas that did not come back", async () => {
    const changed = [{ sheet: "Sheet1", address: "C3", formula: "=FEED.STATUS()", isAsFrozen: false }];
    const copyValues = async () => ({ left: [toCell("B1", "#N/A")], changed });
    openWholePane(opened.session, { workbook: { copyValues } }).press("copyValues");
    await receive(
      /1 FEED formula shows no value and stands in the copy as before: Sheet1!B1\..*1 value is left.*Sheet1!C3/,
    );
  });

  it("explains a refusal of the workbook", async () => {
    const refusal = Object.assign(new Error("No second workbook."), { fault: "refused" });
    openWholePane(opened.session, { workbook: { copyValues: () => Promise.reject(refusal) } }).press("copyValues");
    await receive("The workbook did not take it: No second workbook.");
  });

  it("is not to be tried again in a host that opens no copies", async () => {
    const refusal = Object.assign(new Error("No second workbook."), { fault: "noCopies" });
    openWholePane(opened.session, { workbook: { copyValues: () => Promise.reject(refusal) } }).press("copyValues");
    await receive(/\nThe playground holds one workbook only\. In Excel, this opens a copy of it\.✕/);
  });
});
