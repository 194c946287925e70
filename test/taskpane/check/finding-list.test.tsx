/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../../src/client/ports";
import { createSession } from "../../../src/session/session";
import { checkModel } from "../../../src/taskpane/check/check";
import { FindingList } from "../../../src/taskpane/check/FindingList";
import { toTexts } from "../../../src/taskpane/texts";
import { createChance } from "../../support/chance";
import { openPart } from "../open-pane";
import { Book } from "./book";
import { FAULTS } from "./faults";

/** Shows an error on one sheet and a warning on another. */
function open(language = "en-US") {
  const book = new Book();
  const chance = createChance(7);
  FAULTS.mixedCurrency[2]?.(book, chance, "Sums");
  FAULTS.typedNumber[0]?.(book, chance, "Model");
  const session = createSession({ ports: createPorts(), companionUrl: "https://localhost" });
  const checked = { ...checkModel(book.toInput()), unknown: 0 };
  return {
    session,
    ...openPart(session, <FindingList checked={checked} recheck={() => {}} />, { texts: toTexts(language) }),
  };
}

afterEach(cleanup);

const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByRole("combobox", { name }), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("the list of findings", () => {
  it.each([
    ["Rule", "typedNumber"],
    ["Sheet", "Model"],
    ["Gravity", "warning"],
  ])("shows those of one %s", (name, value) => {
    open();
    expect(screen.getAllByText(/^(Currencies mixed|Typed number among FEED formulas)$/)).toHaveLength(2);
    choose(name, value);
    expect(screen.queryByText("Currencies mixed")).toBeNull();
    expect(screen.getByText("Typed number among FEED formulas")).toBeTruthy();
  });

  it("stores a dismissal with its reason in the workbook, and shows it again", async () => {
    const { stored, session } = open();
    choose("Rule", "typedNumber");
    press("Dismiss");
    fireEvent.change(screen.getByRole("textbox"), { target: { value: " Plan of the board " } });
    press("Dismiss with this reason");
    await screen.findByText(/^No finding fits/);
    await waitFor(() => expect(stored).toMatchObject([{ dismissals: [{ reason: "Plan of the board" }] }]));
    fireEvent.click(screen.getByRole("button", { name: /Dismissed \(1\)/ }));
    await screen.findByText("Plan of the board");
    press("Show again");
    await waitFor(() => expect(session.settings.dismissals).toEqual([]));
  });

  it("goes into a sheet", async () => {
    const { workbook } = open();
    press("Insert as sheet");
    await screen.findByText(/^Created/);
    expect(workbook.cells.get("Model check!B5")).toBe("Currencies mixed");
    expect(workbook.cells.get("Model check!B6")).toBe("Typed number among FEED formulas");
  });

  it("is in Japanese too", () => {
    open("ja-JP");
    expect(screen.getByText("通貨の混在")).toBeTruthy();
    expect(screen.getByRole("combobox", { name: "重要度" })).toBeTruthy();
  });
});
