import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createFindPage, type FindOptions } from "../find-page";
import { createHurriedPorts } from "../gate";
import { type OfficeSettings, setOffice } from "./office-settings";

/** Find's Match tab on a real companion, beside names in cells. */
export function createMatchPage() {
  const page = createFindPage({ keepsSession: true });
  let office: OfficeSettings;
  /** Opens the tab with names in A2 and below, which are selected. @param rows names, or names with their hints */
  const open = async (rows: readonly (readonly string[])[], options: FindOptions = {}) => {
    const opened = await page.open({ ports: createHurriedPorts(), ...options });
    rows.forEach((row, index) => {
      row.forEach((text, column) => {
        if (text !== "") opened.workbook.cells.set(`Sheet1!${"AB"[column]}${index + 2}`, text);
      });
    });
    const last = `${"AB"[Math.max(...rows.map(({ length }) => length)) - 1]}${rows.length + 1}`;
    opened.workbook.select({ sheet: "Sheet1", address: `A2:${last}` });
    fireEvent.click(screen.getByRole("tab", { name: "Match" }));
    return opened;
  };
  return {
    companion: page.companion,
    start: page.start,
    close: page.close,
    /** Before each test: an empty workbook. */
    begin() {
      office = setOffice();
    },
    office: () => office,
    leave: page.leave,
    open,
    /** Opens the tab as {@link open} does, and presses its button. */
    async matchNames(rows: readonly (readonly string[])[], options: FindOptions = {}) {
      const opened = await open(rows, options);
      await pressButton("Match");
      return opened;
    },
  };
}

/** Presses keys on the focused element, as a person without a mouse does. */
export function press(...keys: (string | KeyboardEventInit)[]): void {
  for (const each of keys) {
    const focused = document.activeElement as HTMLElement;
    const event = typeof each === "string" ? { key: each } : each;
    const { key } = event;
    const isUsed = !fireEvent.keyDown(focused, event);
    if (key === "Enter" && !isUsed && focused.tagName === "BUTTON") fireEvent.click(focused);
  }
}

/** Reads cells of a column from the row 2 on. */
export const readColumn = (cells: ReadonlyMap<string, unknown>, letter: string, rows: number): unknown[] =>
  Array.from({ length: rows }, (_, row) => cells.get(`Sheet1!${letter}${row + 2}`) ?? null);

export const readFocus = (): string => document.activeElement?.textContent ?? "";

/** Waits for a button and presses it, which gives it the focus. Not by role, whose search takes seconds on a busy machine. */
export async function pressButton(name: string | RegExp): Promise<void> {
  const button = await waitFor(() => findButton(name));
  button.focus();
  fireEvent.click(button);
}

export function findButton(name: string | RegExp): HTMLElement {
  const isMeant = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  const shown = [...document.querySelectorAll<HTMLElement>("button:not([role])")].filter(
    (button) => button.closest("[hidden]") === null,
  );
  const found = shown.find((button) => isMeant(button.getAttribute("aria-label") ?? button.textContent ?? ""));
  if (found === undefined) throw new Error(`There is no button ${name}.`);
  return found;
}
