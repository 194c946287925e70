import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type HostPages, startHostPages } from "./pages";
import { OPPOSITE_HOSTS } from "./profiles";
import { expectProperties, readOverhangs } from "./rules";

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

it.each(OPPOSITE_HOSTS)("in %s every tab fits the pane's usual width", async (_, profile) => {
  const office = await pages.openPane(profile);
  expect(await readOverhangs(office.page)).toEqual(Array(5).fill(0));
  await office.close();
});
