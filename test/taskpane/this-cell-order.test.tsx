/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { expect, it } from "@jest/globals";
import { checkPart } from "./access";
import { at, openForEach, section, select, show } from "./this-cell-page";

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
