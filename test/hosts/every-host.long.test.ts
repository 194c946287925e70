import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DECLARED } from "../support/formula-calls";
import { type HostPages, startHostPages } from "./pages";
import { type FormulaBed, startFormulaBed } from "./played-host";
import { NAMED_HOSTS, OTHER_HOSTS } from "./profiles";
import { DATED, expectBlankLeftOut, expectDataTypes, expectDirectRead, expectProperties, readOverhangs } from "./rules";

/** Widths of the pane, in pixels: Excel on Mac, on Windows, and a pane that somebody widened. */
const WIDTHS = [270, 320, 400];

const [RANKINGS, MARKETS] = [/^(RANKING|STATUS)/, /^(FINANCIAL|COMPAN)/];
const NAMES = DECLARED.map(({ id }) => id);
const FAMILIES: [string, string[]][] = [
  ["rankings and the state", NAMES.filter((name) => RANKINGS.test(name))],
  ["companies", NAMES.filter((name) => MARKETS.test(name))],
  ["industries", NAMES.filter((name) => !RANKINGS.test(name) && !MARKETS.test(name))],
];

let bed: FormulaBed;
let pages: HostPages;
beforeAll(async () => {
  [bed, pages] = await Promise.all([startFormulaBed(), startHostPages()]);
});
afterAll(async () => {
  await bed.close();
  await pages.close();
});

describe.each(NAMED_HOSTS)("formulas in %s", (_, profile) => {
  beforeAll(() => bed.play(profile));
  afterAll(() => bed.excel.close());

  it.each(FAMILIES)(
    "of %s show a direct read, and take blank cells for arguments that were left out",
    async (_, names) => {
      for (const name of names) {
        await expectDirectRead(bed, name);
        await expectBlankLeftOut(bed, profile, name);
      }
    },
    60_000,
  );

  it("with dates send data types only if functions have them", async () => {
    for (const name of Object.keys(DATED)) await expectDataTypes(bed, profile, name);
  });
});

describe.each(OTHER_HOSTS)("in %s", (_, profile) => {
  it("the pane fits, and lets figures carry properties only if functions have data types", async () => {
    const office = await pages.openPane(profile);
    expect(await readOverhangs(office.page)).toEqual(Array(5).fill(0));
    await expectProperties(office, profile, pages.id);
    await office.close();
  });
});

it.each(["en-US", "ja-JP"] as const)("the pane in language %s fits every width on every tab", async (language) => {
  const [[, profile]] = NAMED_HOSTS as [(typeof NAMED_HOSTS)[number]];
  const { page, close } = await pages.openPane(profile, language);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 720 });
    expect([width, await readOverhangs(page)]).toEqual([width, Array(5).fill(0)]);
  }
  await close();
});
