/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { Session } from "../../../src/session/session";
import { NO_NOTES } from "../../../src/taskpane/cells";
import { Check } from "../../../src/tools/check/Check";
import { checkModel } from "../../../src/tools/check/check";
import { FindingLine, FindingList } from "../../../src/tools/check/Findings";
import type { Finding } from "../../../src/tools/check/finding";
import type { RuleId } from "../../../src/tools/check/texts";
import { createChance } from "../../support/chance";
import { createIdle } from "../../taskpane/desk";
import { createFakeWorkbook } from "../../taskpane/fake-workbook";
import { openPart } from "../../taskpane/open-pane";
import { Book } from "./book";
import { FAULTS } from "./faults";

afterEach(cleanup);

/** Shows an error on one sheet and a warning on another. */
function openList() {
  const book = new Book();
  const chance = createChance(7);
  FAULTS.mixedCurrency[2]?.(book, chance, "Sums");
  FAULTS.typedNumber[0]?.(book, chance, "Model");
  const session = createIdle();
  const checked = { ...checkModel(book.toInput()), notes: NO_NOTES };
  return { session, ...openPart(session, <FindingList checked={checked} recheck={() => {}} />) };
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByRole("combobox", { name }), { target: { value } });

describe("the list of findings", () => {
  it.each([
    ["Rule", "typedNumber"],
    ["Sheet", "Model"],
    ["Severity", "warning"],
  ])("shows those of one %s", (name, value) => {
    openList();
    expect(screen.getAllByText(/^(Currencies mixed|Typed number among FEED formulas)$/)).toHaveLength(2);
    choose(name, value);
    expect(screen.queryByText("Currencies mixed")).toBeNull();
    expect(screen.getByText("Typed number among FEED formulas")).toBeTruthy();
  });

  it("stores a dismissal with its reason in the workbook, and shows it again", async () => {
    const { stored, session } = openList();
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
    const { workbook } = openList();
    press("Insert as sheet");
    await screen.findByText(/^Created/);
    expect(workbook.cells.get("Model check!B5")).toBe("Currencies mixed");
    expect(workbook.cells.get("Model check!B6")).toBe("Typed number among FEED formulas");
  });
});

/** Shows the check of a workbook with these formulas, which is made in the page, as jsdom has no workers. */
function openCheck(...formulas: string[]) {
  const workbook = createFakeWorkbook();
  for (const [index, formula] of formulas.entries()) workbook.cells.set(`Model!A${index + 1}`, { formula });
  openPart(createIdle(), <Check />, { workbook });
}

describe("the check of a workbook without findings", () => {
  it("says what to do where there is no figure, and offers neither filter nor report", async () => {
    openCheck("=1+1", "=A1*2");
    await screen.findByText("This workbook has no FEED figures to check. Add a FEED formula first.");
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Check again"]);
    expect(screen.queryByText(/could not be checked/)).toBeNull();
  });

  it("tells its progress to screen readers, and keeps the focus on its one button", async () => {
    openCheck("=1+1");
    await screen.findByText(/^This workbook has no FEED figures/);
    const button = screen.getByRole("button", { name: "Check again" });
    button.focus();
    fireEvent.click(button);
    expect(screen.getByText("Reading the workbook…").closest("[role=status]")).not.toBeNull();
    expect(document.activeElement?.textContent).toBe("Cancel");
    await screen.findByText(/^This workbook has no FEED figures/);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Check again"));
  });

  it("says how many formulas could not be checked", async () => {
    openCheck("=1+1", "=SUM(A1", "=SUM((A1");
    await screen.findByText("2 formulas could not be checked: the check cannot read them. Look at them yourself.");
  });
});

it("an edit while the check runs is followed by another check, since its cell may have been read before", async () => {
  const workbook = createFakeWorkbook();
  workbook.cells.set("Model!A1", { formula: "=SUM(A2" });
  const reads: (() => void)[] = [];
  const readContents = async () => {
    await new Promise<void>((resolve) => reads.push(resolve));
    return workbook.readContents();
  };
  const session = createIdle();
  const waiting: (() => void)[] = [];
  const after = (_: number, act: () => void) => {
    waiting.push(act);
    return () => {};
  };
  const ports = { ...session.ports, after };
  openPart({ ...session, ports } as Session, <Check />, { workbook: { ...workbook, readContents } });
  await waitFor(() => expect(reads).toHaveLength(1));
  workbook.edit();
  reads[0]?.();
  await screen.findByText(/^1 formula could not be checked/);
  await waitFor(() => expect(waiting).toHaveLength(1));
  workbook.cells.set("Model!A1", { formula: "=1+1" });
  waiting[0]?.();
  await waitFor(() => expect(reads).toHaveLength(2));
  reads[1]?.();
  await waitFor(() => expect(screen.queryByText(/could not be checked/)).toBeNull());
  expect(waiting).toHaveLength(1);
});

const toFinding = (rule: RuleId): Finding => {
  const place = { sheet: "Model", address: "B2" };
  const evidence = [{ place, figure: null, content: "=SUM(B3:B4)" }];
  return { rule, gravity: "error", place, around: place, evidence, values: {}, count: 1, key: "k" };
};

it("a finding offers to refresh its figures where that may end it, else to dismiss it alone", () => {
  const buttonsOf = (rule: RuleId) => {
    openPart(createIdle(), <FindingLine finding={toFinding(rule)} dismiss={() => {}} recheck={() => {}} />);
    const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
    cleanup();
    return names.filter((name) => name !== "Model!B2");
  };
  expect(buttonsOf("twoValues")).toEqual(["Refresh", "Dismiss"]);
  expect(buttonsOf("staleBesideFresh")).toEqual(["Refresh", "Dismiss"]);
  expect(buttonsOf("typedNumber")).toEqual(["Dismiss"]);
});

it("a cell on a hidden sheet says what to do", async () => {
  const fault = Object.assign(new Error("no"), { fault: "refused", place: { sheet: "Model", address: "B2" } });
  const workbook = { ...createFakeWorkbook(), show: () => Promise.reject(fault) };
  openPart(createIdle(), <FindingLine finding={toFinding("leftOut")} recheck={() => {}} />, { workbook });
  fireEvent.click(screen.getAllByRole("button", { name: "Model!B2" })[0] as HTMLElement);
  await screen.findByText(/^The sheet "Model" cannot be shown\. Unhide it/);
});
