import { waitUntilPersisted } from "../../e2e/persisted-answers";
import { type ExcelPage, openBarePage, openFeed, openFloor, openPane } from "../excel";
import { readSheet } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import { type Row, toFinding, toMost } from "../row";
import { startSite } from "../site";

const GOAL_MS = 250;

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

    const reopen = (excel: ExcelPage, open: () => Promise<unknown>) => async () => {
      await open();
      const filling = await site.count({}, () => excel.call(calls));
      if (JSON.stringify(await excel.values()) !== expected) throw new Error("a page shows other figures than before");
      return filling;
    };
    const reopened = await interleave(rounds, {
      FEED: reopen(ours, () => openPane(ours.page, origin)),
      floor: reopen(floor, () => openBarePage(floor.page, origin, () => window.contenders.fromStored(), null)),
    });
    const openEarly = async () => {
      await ours.page.goto(`${origin}/taskpane.html`, { waitUntil: "commit" });
      await ours.page.evaluate(() => window.bench.ready);
    };
    const { early } = await interleave(rounds, { early: reopen(ours, openEarly) });
    for (const { close } of [ours, floor]) await close();
    site.close();

    const took = mapValues(reopened, (all) => all.map(({ tookMs }) => tookMs));
    const requests = mapValues(reopened, (all) => all.map((each) => each.requests));
    const goal = toMost(GOAL_MS, "ms", [median(took.FEED)]);
    const tookEarly = early.map(({ tookMs }) => tookMs);
    return [
      toFinding("until every cell has its value, the page being connected", "ms", took, goal),
      toFinding("the same, called before the page is connected", "ms", tookEarly),
      toFinding("requests", "requests", requests, toMost(0, "requests", requests.FEED)),
    ];
  },
};
