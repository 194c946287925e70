/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../../src/client/ports";
import { createSession, type Session } from "../../../src/session/session";
import { Check } from "../../../src/taskpane/check/Check";
import { toTexts } from "../../../src/taskpane/texts";
import { createFakeWorkbook } from "../fake-workbook";
import { openPart } from "../open-pane";

/** Shows the check of a workbook with these formulas, which is made in the page, as jsdom has no workers. */
function open(formulas: readonly string[], language = "en-US") {
  const workbook = createFakeWorkbook();
  for (const [index, formula] of formulas.entries()) workbook.cells.set(`Model!A${index + 1}`, { formula });
  const session = createSession({ ports: createPorts(), companionUrl: "https://localhost" });
  openPart(session, <Check />, { workbook, texts: toTexts(language) });
}

afterEach(cleanup);

describe("the check of a workbook without findings", () => {
  it.each([
    ["en-US", "This workbook has no FEED figures to check. Add a FEED formula first.", "Check again"],
    ["ja-JP", "このブックには検査する FEED の数値がありません。先に FEED の数式を入力してください。", "もう一度検査"],
  ])(
    "says what to do where there is no figure, and offers neither filter nor report: %s",
    async (language, text, again) => {
      open(["=1+1", "=A1*2"], language);
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
    open(["=1+1", "=SUM(A1", "=SUM((A1"], language);
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
