/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { checkPart } from "./access";
import {
  at,
  findCompany,
  misspell,
  openForEach,
  section,
  select,
  show,
  showRevenue,
  toRevenue,
} from "./this-cell-page";

openForEach();

it("a cell whose arguments are out of order says which, and what the order is", async () => {
  const base = Object.assign(document.createElement("base"), { href: `${at.companion.origin}/` });
  document.head.append(base); // the table of formulas is beside the page
  await at.page.type("FINANCIAL", "Model!B3", [[at.ids[0]]], [[2023]], [["Revenue"]], "millions");
  const { workbook } = show({
    "Model!B2": "=FEED.FINANCIAL(A2)",
    "Model!B3": `=FEED.FINANCIAL("${at.ids[0]}", 2023, "Revenue", "millions")`,
    "Model!B4": "=FEED.FINANCIAL(A2, YEAR(TODAY()), A3)",
  });
  await select(workbook, "B2");
  await section().findByText(/^The formula lacks year, metric\. The order is FINANCIAL\(company, year, metric, /);
  expect(section().queryByText(/cannot be told/)).toBeNull();
  await checkPart();
  await select(workbook, "B3");
  await section().findByText(/^“millions” belongs in unit, as “m”\. The order is FINANCIAL\(/);
  expect(section().getByText("FEED_NO_VALUE")).toBeTruthy();
  expect(section().queryByRole("button", { name: "Refresh this" })).toBeNull(); // which would mend nothing
  await select(workbook, "B4");
  await section().findByText(/^It cannot be told what the formula in Model!B4 asked for/);
  base.remove();
});

async function showMisspelt() {
  const { name } = findCompany();
  return { name, ...(await showRevenue(misspell(name))) };
}

describe("a cell with a misspelt name", () => {
  it("offers to correct its formula, and to choose the company", async () => {
    const { name, workbook } = await showMisspelt();
    await section().findByText("correct the spelling, or choose the company");
    const labels = section()
      .getAllByRole("button")
      .map(({ textContent }) => textContent);
    expect(labels.slice(0, 2)).toEqual(["Correct the formula", "Choose the company in Find"]);
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Correct the formula" }));
    await screen.findByText("Inserted at Model!B2.");
    expect(workbook.cells.get("Model!B2")).toEqual({ formula: toRevenue(name) });
  });

  it("replaces no other content that its cell has by now", async () => {
    const { workbook } = await showMisspelt();
    const correct = await section().findByRole("button", { name: "Correct the formula" });
    workbook.cells.set("Model!B2", { formula: "=1+1" });
    fireEvent.click(correct);
    await screen.findByText(/^Model!B2 holds something already\./);
    await waitFor(() => expect(workbook.cells.get("Model!B2")).toEqual({ formula: "=1+1" }));
  });
});
