/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen } from "@testing-library/react/pure";
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
    const thawed: unknown[] = [];
    workbook.listFrozen = async (scope) => {
      if (scope !== "selection") thawed.push(scope);
      return [{ ...frozen, frozenAtMs, isAsFrozen }];
    };
    await select(workbook, "C3");
    await section().findByText(text);
    expect(section().queryByText(/has changed since/) === null).toBe(isAsFrozen);
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Frozen cells of this sheet" }));
    await screen.findByRole("button", { name: "Model!B2" });
    expect(thawed).toEqual(["sheet"]);
    fireEvent.click(section().getByRole("button", { name: "Thaw" }));
    await screen.findByText(isAsFrozen ? /in the selection\?/ : /^1 value is left/);
    await select(workbook, "E9");
    await section().findByText(/^Model!E9 shows nothing of FEED\./);
  });
});
