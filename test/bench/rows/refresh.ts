import { type CountedFill, type OpenExcel, openFeed, openFloor, type Refresh, refreshFeed } from "../excel";
import { readSheet, type Sheet } from "../excel/sheet";
import { interleave, mapValues } from "../measure";
import { type Bench, type Finding, type Row, toFinding } from "../row";
import { type Site, type SiteCommand, startSite } from "../site";

const LATENCY_MS = 20;
/** The positions of the changing figures: in the first, a middle and the last request. */
const PLACES = [0, 7_000, 13_999];

const refreshFloor: Refresh = ({ page }, cells) =>
  page.evaluate((wanted) => window.bench.measure(wanted, () => window.contenders.refresh()), cells);

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

async function measureChange(
  { browser, rounds }: Bench,
  site: Site,
  { calls }: Sheet,
  pick: (values: readonly unknown[]) => Changed,
): Promise<Record<"FEED" | "floor", CountedFill[]>> {
  const prepare = async (open: OpenExcel, refresh: Refresh) => {
    await site.order({ forget: true });
    const excel = await open(browser, site.origin);
    await excel.call(calls);
    const changed = pick(await excel.values());
    const cells = changed === "all" ? calls.length : changed.length;
    let isChanged = false;
    const act = () => {
      isChanged = !isChanged;
      return site.count({ latencyMs: LATENCY_MS, changed: isChanged ? changed : [] }, () => refresh(excel, cells));
    };
    return { act, close: excel.close };
  };
  const [ours, floor] = [await prepare(openFeed, refreshFeed), await prepare(openFloor, refreshFloor)];
  const refreshed = await interleave(rounds, { FEED: ours.act, floor: floor.act });
  for (const { close } of [ours, floor]) await close();
  return refreshed;
}

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
  refreshed: Readonly<Record<"FEED" | "floor", readonly CountedFill[]>>,
  changed: number,
): Finding[] {
  const pick = (part: keyof CountedFill) => mapValues(refreshed, (all) => all.map((each) => each[part]));
  const results = pick("results");
  const isReached = results.FEED.every((count) => count === changed);
  return [
    toFinding(`until every changed cell has its value, ${which}`, "ms", pick("tookMs")),
    toFinding(`results that go to Excel, ${which}`, "results", results, [`${changed}`, isReached]),
    toFinding(`requests, ${which}`, "requests", pick("requests")),
  ];
}
