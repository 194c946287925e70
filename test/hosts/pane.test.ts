import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { OfficeHost } from "../office/browser-host";
import { OPPOSITE_HOSTS } from "./named-hosts";
import { type HostPages, startHostPages } from "./pages";
import { expectProperties, readOverhangs } from "./rules";

let pages: HostPages;
beforeAll(async () => {
  pages = await startHostPages();
});
afterAll(() => pages.close());

describe.each(OPPOSITE_HOSTS)("the pane in %s", (_, profile) => {
  let office: OfficeHost;
  beforeAll(async () => {
    office = await pages.openPane(profile);
  });
  afterAll(() => office.close());

  it("fits its usual width on every tab", async () => {
    expect(await readOverhangs(office.page)).toEqual(Array(5).fill(0));
  });

  it("lets figures carry properties only if functions have data types, with the workbook's switch on", () =>
    expectProperties(office, profile, pages.id));
});
