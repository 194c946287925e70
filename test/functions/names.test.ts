import { describe, expect, it } from "@jest/globals";
import { prepareSandbox } from "./sandbox-formulas";

const sandbox = prepareSandbox(1_200);

const countRequests = () => {
  const { controls } = sandbox.companion;
  return controls.count("listTaxonomyCompanies") + controls.count("searchCompanies");
};

describe("FEED.COMPANY.FIND", () => {
  it("loads the lists once for any number of cells", async () => {
    const texts = ["高島", "sakura", "ｺﾓﾚﾋﾞ", "浜崎"];
    const all = await Promise.all(texts.map((text) => sandbox.show("COMPANY.FIND", text, "jpn", 3)));
    for (const rows of all) expect(rows.length).toBeGreaterThan(1);
    const requests = countRequests();
    expect(requests).toBeLessThanOrEqual(20);
    await sandbox.show("COMPANY.FIND", "青空");
    expect(countRequests()).toBe(requests);
  });

  it("starts no long build, reports its cost, and fills once the pane has built the index", async () => {
    sandbox.companion.controls.pageCap = 25;
    const cell = sandbox.formulas.type("COMPANY.FIND", "高島", "JPN", 2);
    expect((await cell.next())[0]?.[0]).toMatch(
      /^#N\/A FEED_INDEX_NOT_READY: the index of names for JPN is not built: about \d+ requests; build it in the FEED pane$/,
    );
    expect(countRequests()).toBe(2);
    expect(await sandbox.showOne("COMPANY.ID", "高島")).toMatch(/FEED_INDEX_NOT_READY/);
    expect(countRequests()).toBe(2);
    await sandbox.formulas.session.feed.nameIndexes.build("JPN");
    expect(await cell.next()).toHaveLength(3);
  });
});

describe("FEED.COMPANY.ID", () => {
  it("names the candidates when several match, each by a text that means it alone", async () => {
    const text = String(await sandbox.showOne("COMPANY.ID", "高島"));
    expect(text).toMatch(/^#VALUE! FEED_AMBIGUOUS: "高島" fits \d+ companies: /);
    const listed = [...text.matchAll(/"([^"]+)" \([^)]+, (listed|private)/g)].map(([, each]) => each);
    expect(listed).toHaveLength(5);
    const ids = await Promise.all(listed.map((each) => sandbox.showOne("COMPANY.ID", each)));
    expect(new Set(ids.filter((id) => /^[0-9a-f-]{36}$/.test(String(id)))).size).toBe(5);
  });
});
