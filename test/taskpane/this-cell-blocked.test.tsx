/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, fireEvent, waitFor } from "@testing-library/react/pure";
import { at, checkAccess, openForEach, section, select, show } from "./this-cell-page";

openForEach();

const FORMULA = '=FEED.RANKING("2024-01-01","2024-01-07",3)';

/** Shows a table's cell that displays what `shown` holds. */
async function showTable(shown: { value: string }, language?: string) {
  await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 3);
  const { workbook } = show({ "Model!B2": FORMULA }, language);
  const { readValues } = workbook;
  workbook.readValues = async (reference) =>
    reference === "Model!B2" ? [[shown.value]] : readValues.call(workbook, reference);
  await select(workbook, "B2");
  return workbook;
}

describe("a cell whose table cannot spill", () => {
  it("says why, and leads to what is in the way", async () => {
    const workbook = await showTable({ value: "#SPILL!" });
    workbook.cells.set("Model!B4", "mine");
    await section().findByText(
      "#SPILL! Its table does not fit: other cells are in the way, or the sheet ends. Empty them, or move the formula.",
    );
    await checkAccess();
    fireEvent.click(section().getByRole("button", { name: "Show what is in the way" }));
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ address: "B4" }));
  });

  it("says so in Japanese", async () => {
    await showTable({ value: "#SPILL!" }, "ja-JP");
    await section().findByText(/^#SPILL! ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。/);
    expect(section().getByRole("button", { name: "妨げているセルを表示" })).toBeTruthy();
  });

  it("no longer does once the cell shows its table", async () => {
    const shown = { value: "#SPILL!" };
    const workbook = await showTable(shown);
    await section().findByText(/^#SPILL! /);
    shown.value = "Rank";
    await act(async () => workbook.select({ sheet: "Model", address: "B2" }));
    await waitFor(() => expect(section().queryByText(/^#SPILL! /)).toBeNull());
  });
});

describe("a cell that shows its table", () => {
  it("says nothing of an error", async () => {
    await showTable({ value: "Rank" });
    await section().findByText(/^Row 1, column 1/);
    expect(section().queryByText(/#SPILL!/)).toBeNull();
    expect(section().queryByRole("button", { name: "Show what is in the way" })).toBeNull();
  });
});
