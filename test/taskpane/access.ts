import { expect } from "@jest/globals";
import { act } from "@testing-library/react/pure";
import axe from "axe-core";

/** A canvas for axe, which measures letters to tell icon fonts from words; jsdom has none. */
const CANVAS = {
  canvas: {},
  measureText: ({ length }: string) => ({ width: 30 * length }),
  getImageData: () => ({ data: new Uint8Array(4).fill(1) }),
  fillText() {},
  clearRect() {},
};
if (globalThis.document) HTMLCanvasElement.prototype.getContext = (() => CANVAS) as never;

/**
 * Expects a page without axe violations. Fluent's focus sentinels have no content; contrast is checked in a browser.
 * @param off The rules that do not hold for a part alone.
 */
export async function checkPage(...off: string[]): Promise<void> {
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  const rules = {
    ...Object.fromEntries(["color-contrast", ...off].map((rule) => [rule, { enabled: false }])),
    "label-content-name-mismatch": { enabled: true }, // a new user of the pane sees its texts
  };
  const { violations } = await act(() => axe.run(page, { rules }));
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** The same for a part of the pane, whose first headings are elsewhere. */
export const checkPart = () => checkPage("page-has-heading-one", "heading-order");
