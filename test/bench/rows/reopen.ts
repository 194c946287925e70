import { waitUntilPersisted } from "../../e2e/persisted-answers";
import { type ExcelPage, openBarePage, openFeed, openFloor, openPane } from "../excel";
import type { FillTimes } from "../excel/in-page/host";
import { readSheet } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import type { Finding, Row } from "../row";
import { startSite } from "../site";

const GOAL_MS = 250;

interface Reopened extends FillTimes {
  requests: number;
}

export const REOPEN: Row = {
  name: "reopen",
  title: "14,000 figures once more, in a page that is opened after another one has asked for them",
  async measure({ browser, rounds }) {
    const site = await startSite();
    const { origin } = site;
    const { calls, companyIds } = await readSheet(origin);
    const [ours, floor] = [await openFeed(browser, origin), await openFloor(browser, origin)];
    for (const { call } of [ours, floor]) await call(calls);
    const expected = JSON.stringify(await ours.values());
    await waitUntilPersisted(ours.page, companyIds);
    await floor.page.evaluate(() => window.contenders.store());

    const reopen = (excel: ExcelPage, open: () => Promise<void>) => async (): Promise<Reopened> => {
      await open();
      await site.order({ forget: true });
      const filling = await excel.call(calls);
      const requests = await site.order({});
      if (JSON.stringify(await excel.values()) !== expected) throw new Error("a page shows other figures than before");
      return { ...filling, requests };
    };
    const reopened = await interleave(rounds, {
      FEED: reopen(ours, () => openPane(ours.page, origin)),
      floor: reopen(floor, () => openBarePage(floor.page, origin, () => window.contenders.fromStored(), null)),
    });
    const { early } = await interleave(rounds, {
      early: async () => {
        await ours.page.goto(`${origin}/taskpane.html`, { waitUntil: "commit" });
        await ours.page.evaluate(() => window.bench.ready);
        return ours.call(calls);
      },
    });
    for (const { close } of [ours, floor]) await close();
    site.close();
    return toFindings(reopened, early);
  },
};

function toFindings(
  reopened: Readonly<Record<"FEED" | "floor", readonly Reopened[]>>,
  early: readonly FillTimes[],
): Finding[] {
  const pick = (part: keyof Reopened) => mapValues(reopened, (all) => all.map((each) => each[part]));
  const [took, requests] = [pick("tookMs"), pick("requests")];
  return [
    {
      what: "until every cell has its value, the page being connected",
      unit: "ms",
      samples: took,
      goal: { text: `at most ${GOAL_MS} ms`, isReached: median(took.FEED) <= GOAL_MS },
    },
    {
      what: "the same, called before the page is connected",
      unit: "ms",
      samples: { FEED: early.map(({ tookMs }) => tookMs) },
    },
    {
      what: "requests",
      unit: "requests",
      samples: requests,
      goal: { text: "none", isReached: Math.max(...requests.FEED) === 0 },
    },
    { what: "longest task without the host's work", unit: "ms", samples: pick("ownMs") },
  ];
}
