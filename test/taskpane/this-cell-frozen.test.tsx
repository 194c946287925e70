/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it, jest } from "@jest/globals";
import { act, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { FrozenCell } from "../../src/contract/workbook";
import { checkPart } from "./access";
import { openForEach, section, select, show } from "./this-cell-page";

openForEach();

describe("a frozen cell", () => {
  const frozen = { sheet: "Model", address: "B2", filled: "B2:C4", formula: "=FEED.RANKING()", label: "" };

  it.each([
    [new Date(2026, 10, 26).getTime(), true, "Frozen on Nov 26, 2026 from =FEED.RANKING()"],
    [undefined, false, "Frozen from =FEED.RANKING()"],
  ])("says since when and from what, and thaws: %s", async (frozenAtMs, isAsFrozen, text) => {
    const { workbook } = show({});
    workbook.cells.set("Model!C3", 42);
    workbook.listFrozen = async () => [{ ...frozen, frozenAtMs, isAsFrozen }];
    await select(workbook, "C3");
    await section().findByText(text);
    expect(section().queryByText(/has changed since/) === null).toBe(isAsFrozen);
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Thaw…" }));
    await screen.findByText(isAsFrozen ? /^Put FEED formulas back/ : /^1 value is left/);
    await screen.findByRole("button", { name: "Model!B2" });
    await select(workbook, "E9");
    await section().findByText(/^Model!E9 shows nothing of FEED\./);
  });

  it("says why it cannot be read, and looks for nothing of an empty cell", async () => {
    const { workbook } = show({});
    workbook.cells.set("Model!C3", 42);
    const list = jest.spyOn(workbook, "listFrozen");
    list.mockRejectedValue(Object.assign(new Error("busy"), { fault: "editing" }));
    await select(workbook, "E9");
    await section().findByText(/^Model!E9 shows nothing of FEED\./);
    expect(list).not.toHaveBeenCalled();
    await select(workbook, "C3");
    await section().findByText(/^A cell is being edited\./);
  });

  it("shows the selected cell's, whichever reading ends last", async () => {
    const { workbook } = show({});
    for (const cell of ["C3", "E9"]) workbook.cells.set(`Model!${cell}`, 42);
    let end = (_: FrozenCell[]) => {};
    const slow = new Promise<FrozenCell[]>((resolve) => {
      end = resolve;
    });
    const list = jest.spyOn(workbook, "listFrozen").mockReturnValue(slow);
    await select(workbook, "E9");
    await waitFor(() => expect(list).toHaveBeenCalled());
    list.mockResolvedValue([{ ...frozen, isAsFrozen: true }]);
    await select(workbook, "C3");
    await section().findByText("Frozen from =FEED.RANKING()");
    await act(async () => end([]));
    expect(section().queryByText("Frozen from =FEED.RANKING()")).not.toBeNull();
  });
});
