import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { HOSTS } from "../../src/playground/hosts/profiles";
import { pane } from "../e2e/playground-page";
import { waitUntilConnected } from "../support/pane-page";
import { OPPOSITE_HOSTS } from "./named-hosts";
import { type HostPages, startHostPages } from "./pages";
import { expectCells, expectKeys, expectProperties, expectReported, readOverhangs } from "./rules";

let pages: HostPages;
beforeAll(async () => {
  pages = await startHostPages();
});
afterAll(() => pages.close());

it.each(OPPOSITE_HOSTS)(
  "in %s the pane lets figures carry properties only if functions have data types, with the workbook's switch on",
  async (_, profile) => {
    const office = await pages.openPane(profile);
    await expectProperties(office, profile, pages.id);
    await office.close();
  },
);

describe.each(OPPOSITE_HOSTS)("the playground as %s", (_, profile) => {
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    ({ page, errors } = await pages.openPlayground(`lang=en&host=${profile.id}`));
    await waitUntilConnected(pane(page));
  });
  afterAll(() => page.context().close());

  it("shows its name and its usual width of the pane, and reports its storage and requirement sets", async () => {
    await expectReported(page, profile);
    expect(errors).toEqual([]);
  });

  it("hides and shows the pane by its keys, and tells them if it has keyboard shortcuts", () =>
    expectKeys(page, profile));

  it("fits that width on every tab", async () => {
    expect(await readOverhangs(pane(page))).toEqual(Array(5).fill(0));
  });

  it("shows figures, dates, blank arguments and missing figures as it does", () =>
    expectCells(page, profile, pages.id));
});

it("says which hosts there are when the address names an unknown one", async () => {
  const { page } = await pages.openPlayground("lang=en&host=excel97");
  const known = HOSTS.map(({ id }) => id).join(", ");
  await page
    .getByText(`The address names an unknown Excel. Write one of these after host=: ${known}.`, { exact: true })
    .waitFor();
  expect(await page.locator("#host").isVisible()).toBe(false);
  await page.context().close();
});
