import { fireEvent, screen } from "@testing-library/react/pure";
import { createFindPage, type FindOptions } from "../find-page";
import { type OfficeSettings, setOffice } from "./office-settings";

/** Find's Match tab on a real companion, beside names in cells. */
export function createMatchPage() {
  const page = createFindPage();
  let office: OfficeSettings;
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
    /** Opens the tab with names in A2 and below, which are selected. @param rows names, or names with their hints */
    async open(rows: readonly (readonly string[])[], options: FindOptions = {}) {
      const opened = await page.open(options);
      rows.forEach((row, index) => {
        row.forEach((text, column) => {
          if (text !== "") opened.workbook.cells.set(`Sheet1!${"AB"[column]}${index + 2}`, text);
        });
      });
      const last = `${"AB"[Math.max(...rows.map(({ length }) => length)) - 1]}${rows.length + 1}`;
      opened.workbook.select({ sheet: "Sheet1", address: `A2:${last}` });
      fireEvent.click(screen.getByRole("tab", { name: options.language === "ja-JP" ? "照合" : "Match" }));
      return opened;
    },
  };
}

/** Presses keys on the focused element, as a person without a mouse does. */
export function press(...keys: string[]): void {
  for (const key of keys) {
    const focused = document.activeElement as HTMLElement;
    const isUsed = !fireEvent.keyDown(focused, { key });
    if (key === "Enter" && !isUsed && focused.tagName === "BUTTON") fireEvent.click(focused);
  }
}

export const readFocus = (): string => document.activeElement?.textContent ?? "";

/** Waits for a button and presses it, which gives it the focus. */
export async function pressButton(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole("button", { name });
  button.focus();
  fireEvent.click(button);
}
