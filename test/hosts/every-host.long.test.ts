import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { pane } from "../e2e/playground-page";
import { DECLARED } from "../support/formula-calls";
import { waitUntilConnected } from "../support/pane-page";
import { NAMED_HOSTS, OTHER_HOSTS } from "./named-hosts";
import { type HostPages, startHostPages } from "./pages";
import { type FormulaBed, startFormulaBed } from "./played-host";
import {
  DATED,
  expectBlankLeftOut,
  expectCells,
  expectDataTypes,
  expectDirectRead,
  expectKeys,
  expectProperties,
  expectReported,
  readOverhangs,
} from "./rules";

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

  it("the playground is that host in its frame, its keys and its cells", async () => {
    const { page, errors } = await pages.openPlayground(`lang=en&host=${profile.id}`);
    await waitUntilConnected(pane(page));
    await expectReported(page, profile);
    await expectKeys(page, profile);
    await expectCells(page, profile, pages.id);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

it.each([
  ["ltsc2021", "ja"],
  ["mac", "en"],
  ["web", "ja"],
])("the pane of ?host=%s in language %s fits every width on every tab", async (id, language) => {
  const { page } = await pages.openPlayground(`lang=${language}&host=${id}`);
  await waitUntilConnected(pane(page));
  for (const width of WIDTHS) {
    await page.evaluate((px) => document.documentElement.style.setProperty("--pane-width", `${px}px`), width);
    expect([width, await readOverhangs(pane(page))]).toEqual([width, Array(5).fill(0)]);
  }
  await page.context().close();
});
