/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../../src/client/ports";
import { createSession, type Session } from "../../../src/session/session";
import { Check } from "../../../src/taskpane/check/Check";
import { checkModel } from "../../../src/taskpane/check/check";
import { FindingList } from "../../../src/taskpane/check/FindingList";
import { toTexts } from "../../../src/taskpane/texts";
import { createChance } from "../../support/chance";
import { createFakeWorkbook } from "../fake-workbook";
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

/** Shows the check of a workbook with these formulas, which is made in the page, as jsdom has no workers. */
function openCheck(formulas: readonly string[], language = "en-US") {
  const workbook = createFakeWorkbook();
  for (const [index, formula] of formulas.entries()) workbook.cells.set(`Model!A${index + 1}`, { formula });
  const session = createSession({ ports: createPorts(), companionUrl: "https://localhost" });
  openPart(session, <Check />, { workbook, texts: toTexts(language) });
}

describe("the check of a workbook without findings", () => {
  it.each([
    ["en-US", "This workbook has no FEED figures to check. Add a FEED formula first.", "Check again"],
    ["ja-JP", "このブックには検査する FEED の数値がありません。先に FEED の数式を入力してください。", "もう一度検査"],
  ])(
    "says what to do where there is no figure, and offers neither filter nor report: %s",
    async (language, text, again) => {
      openCheck(["=1+1", "=A1*2"], language);
      await screen.findByText(text);
      expect(screen.queryByRole("combobox")).toBeNull();
      expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([again]);
      expect(screen.queryByText(/could not be checked|検査できません/)).toBeNull();
    },
  );

  it.each([
    ["en-US", "2 formulas could not be checked: the check cannot read them. Look at them yourself."],
    ["ja-JP", "数式 2 個は読み取れないため、検査できませんでした。ご自身で確認してください。"],
  ])("says how many formulas could not be checked: %s", async (language, text) => {
    openCheck(["=1+1", "=SUM(A1", "=SUM((A1"], language);
    await screen.findByText(text);
  });
});

describe("an edit while the check runs", () => {
  it("is followed by another check, since its cell may have been read before", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Model!A1", { formula: "=SUM(A2" });
    const reads: (() => void)[] = [];
    const readContents = async () => {
      await new Promise<void>((resolve) => reads.push(resolve));
      return workbook.readContents();
    };
    const session = createSession({ ports: createPorts(), companionUrl: "https://localhost" });
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
});
