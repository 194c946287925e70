import { readFileSync } from "node:fs";
import { expect } from "@jest/globals";
import type { AxeResults, RunOptions } from "axe-core";
import type { Frame, Page } from "playwright-core";

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/**
 * Expects a page without axe violations. Fluent's focus sentinels have no content.
 * @param options Which of axe's rules; default all.
 */
export async function checkAccess(page: Page | Frame, options: RunOptions = {}): Promise<void> {
  await page.evaluate(() => {
    // Hidden elements may animate endlessly.
    const shown = document.getAnimations().filter(({ effect }) => (effect as KeyframeEffect).target?.checkVisibility());
    return Promise.allSettled(shown.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (chosen) => {
    const { axe } = window as unknown as { axe: { run(context: object, options: RunOptions): Promise<AxeResults> } };
    const results = await axe.run({ exclude: [["[data-tabster-dummy]"]] }, chosen);
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, options);
  expect(violations).toEqual([]);
}

/** How far a page or a part of it that scrolls is too wide, in pixels. */
export const readOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const scrolling = document.querySelectorAll("html, main, main > section, [role=tabpanel]");
    return Math.max(...[...scrolling].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/** Expects a page that scrolls in no width to the side, and is accessible. */
export async function checkFit(page: Page, ...widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1060 });
    expect([width, await readOverflow(page)]).toEqual([width, 0]);
  }
  await checkAccess(page);
}
