import type { Page } from "playwright-core";
import { type ExcelPage, type OpenExcel, openFeed, openFloor } from "../excel";
import type { FillTimes } from "../excel/in-page/host";
import { readSheet, type Sheet } from "../excel/sheet";
import { interleave, mapValues } from "../measure";
import type { Bench, Finding, Row } from "../row";
import { type Site, type SiteCommand, startSite } from "../site";

const LATENCY_MS = 20;
/** The positions of the changing figures: in the first, a middle and the last request. */
const PLACES = [0, 7_000, 13_999];

/** Makes a page refetch all its cells, and waits for a number of new results. */
type Refresh = (page: Page, cells: number) => Promise<FillTimes>;

interface Refreshed extends FillTimes {
  requests: number;
}

const CONTENDERS: Record<"FEED" | "floor", { open: OpenExcel; refresh: Refresh }> = {
  FEED: {
    open: openFeed,
    refresh: (page, cells) =>
      page
        .getByRole("button", { name: "Refresh all", exact: true })
        .evaluate((button, wanted) => window.bench.measure(wanted, () => (button as HTMLElement).click()), cells),
  },
  floor: {
    open: openFloor,
    refresh: (page, cells) =>
      page.evaluate((wanted) => window.bench.measure(wanted, () => window.contenders.refresh()), cells),
  },
};

export const REFRESH: Row = {
  name: "refresh",
  title: "14,000 figures asked for again, at 20 ms latency",
  async measure(bench) {
    const site = await startSite();
    const sheet = await readSheet(site.origin);
    const three = await measureChange(bench, site, sheet, pickSingle);
    const all = await measureChange(bench, site, sheet, () => "all");
    site.close();
    return [
      ...toFindings("three of them changed", three, PLACES.length),
      ...toFindings("all of them changed", all, sheet.calls.length),
    ];
  },
};

type Changed = NonNullable<SiteCommand["changed"]>;

/** Refreshes cells whose figures change back and forth. */
async function measureChange(
  { browser, rounds }: Bench,
  site: Site,
  { calls }: Sheet,
  pick: (values: readonly unknown[]) => Changed,
): Promise<Record<"FEED" | "floor", Refreshed[]>> {
  const pages: ExcelPage[] = [];
  const prepare = async ({ open, refresh }: (typeof CONTENDERS)["FEED"]) => {
    await site.order({ forget: true });
    const excel = await open(browser, site.origin);
    pages.push(excel);
    await excel.call(calls);
    const changed = pick(await excel.values());
    const cells = changed === "all" ? calls.length : changed.length;
    let isChanged = false;
    return async () => {
      isChanged = !isChanged;
      await site.order({ forget: true, latencyMs: LATENCY_MS, changed: isChanged ? changed : [] });
      const filling = await refresh(excel.page, cells);
      return { ...filling, requests: await site.order({}) };
    };
  };
  const refreshed = await interleave(rounds, {
    FEED: await prepare(CONTENDERS.FEED),
    floor: await prepare(CONTENDERS.floor),
  });
  for (const excel of pages) await excel.close();
  return refreshed;
}

/** Figures that occur in a single cell. */
function pickSingle(values: readonly unknown[]): number[] {
  const figures = values.map((value) => (value as number[][])[0]?.[0] as number);
  const isSingle = (figure: number) => figures.indexOf(figure) === figures.lastIndexOf(figure);
  return PLACES.map((place) => {
    const near = place === 0 ? figures : figures.slice(0, place + 1).reverse();
    return near.find(isSingle) as number;
  });
}

function toFindings(
  which: string,
  refreshed: Readonly<Record<"FEED" | "floor", readonly Refreshed[]>>,
  changed: number,
): Finding[] {
  const pick = (part: keyof Refreshed) => mapValues(refreshed, (all) => all.map((each) => each[part]));
  const results = pick("results");
  return [
    { what: `until every changed cell has its value, ${which}`, unit: "ms", samples: pick("tookMs") },
    {
      what: `results that go to Excel, ${which}`,
      unit: "results",
      samples: results,
      goal: { text: `${changed}`, isReached: results.FEED.every((count) => count === changed) },
    },
    { what: `requests, ${which}`, unit: "requests", samples: pick("requests") },
    { what: `longest task without the host's work, ${which}`, unit: "ms", samples: pick("ownMs") },
  ];
}
