import { describe, expect, it } from "@jest/globals";
import { createNames, type NameMatch } from "../../src/feed/names";
import { matchNames } from "../../src/feed/names/matching/match";
import { NAME_COLUMNS, type NameRow, type NameSource } from "../../src/feed/names/rows";
import { createNameIndex } from "../../src/feed/names/search";
import type { Progress } from "../../src/feed/query-cache";
import { createResolutions } from "../../src/feed/resolutions";

const toRow = (companyId: string, companyName: string, families = "private", facts = {}): NameRow =>
  NAME_COLUMNS.map((name) => ({ companyId, companyName, families, ...facts })[name as "companyId"] ?? "");

/** A company with a ticker, and companies of one name, one of which is in an unknown city. */
const OTHERS = [
  toRow("onyx", "Onyx Ltd.", "taxonomy", { tickerSymbol: "7777" }),
  toRow("opal", "Opal Ltd.", "private", { city: "Osaka" }),
  toRow("opal-listed", "Opal Ltd.", "taxonomy", { city: "Osaka" }),
  toRow("anywhere", "Opal Ltd."),
];

const FOODS = "0f00d000-0000-4000-8000-000000000001";

/** Indexes of two countries, and how many names the engine was asked for, such as "JPN 2". */
function start({ hasIndexes = true, missing = [] as readonly NameSource[] } = {}) {
  const asked: string[] = [];
  const indexes = new Map([
    ["JPN", createNameIndex([toRow(FOODS, "Sakura Foods"), toRow("glass", "Sakura Glass")])],
    ["SGP", createNameIndex([toRow("lion", "Lion Harbour")])],
    ["HKG", createNameIndex([toRow("jade", "Jade Ltd."), toRow("listed", "Jade Ltd.", "taxonomy"), ...OTHERS])],
  ]);
  const resolutions = createResolutions();
  const context = {
    resolutions,
    indexes: {
      async need(key: string) {
        if (!hasIndexes) throw new Error("no index");
        return { key, facts: { missing } };
      },
    },
    engine: {
      match: async (key: string, text: string) => indexes.get(key)?.match(text),
      async matchNames(key: string, names: Parameters<typeof matchNames>[1]) {
        asked.push(`${key} ${names.length}`);
        return matchNames(indexes.get(key) as ReturnType<typeof createNameIndex>, names);
      },
    },
  } as unknown as Parameters<typeof createNames>[0];
  const counts: string[] = [];
  const abort = new AbortController();
  const load = async (names: readonly string[], family?: NameSource, hints: readonly string[] = []) => {
    const toMatch = names.map((name) => ({ name, hints }));
    const advance = ({ rows, expected }: Progress) => void counts.push(`${rows.length} of ${expected}`);
    const loading = { signal: abort.signal, advance };
    const query = createNames(context).queryMatches(toMatch, "JPN", family);
    return (await query.load(loading as never)).matches;
  };
  return { load, asked, counts, abort, resolutions };
}

const toText = ({ state, candidates }: NameMatch) => `${state} ${candidates[0]?.company.companyId ?? ""}`.trim();

describe("the query for a list of names", () => {
  it("matches a name behind a country in that country's index", async () => {
    const { load, asked } = start();
    const matches = await load(["Sakura Foods", "SGP:Lion Harbor"]);
    expect(matches.map(toText)).toEqual([`exact ${FOODS}`, "sure lion"]);
    expect(asked).toEqual(["JPN 1", "SGP 1"]);
  });

  it("takes the one of namesakes that alone can have the wanted data, where the index knows who has them", async () => {
    const name = ["HKG:Jade Ltd."];
    const toStates = async (family?: NameSource, missing: readonly NameSource[] = []) =>
      (await start({ missing }).load(name, family)).map(toText);
    expect(await toStates()).toEqual(["doubtful jade"]);
    expect(await toStates("private")).toEqual(["exact jade"]);
    expect(await toStates("taxonomy")).toEqual(["exact listed"]);
    expect(await toStates("private", ["private"])).toEqual(["doubtful jade"]);
    const [match] = await start().load(name, "taxonomy");
    expect(match).toMatchObject({ alike: 1, candidates: [{}, {}] });
  });

  it.each([
    ["another legal form is written", "HKG:Jade GmbH", []],
    ["a hint is another company's code", "HKG:Jade Ltd.", ["7777"]],
    ["a city may be that of a third one, too", "HKG:Opal Ltd.", ["Osaka"]],
  ])("takes none of namesakes where %s", async (_, name, hints) => {
    const { load } = start();
    for (const family of ["private", "taxonomy"] as const)
      expect(await load([name], family, hints)).toMatchObject([{ state: "doubtful" }]);
  });

  it("puts what the workbook keeps for the wanted data before any match", async () => {
    const { load, resolutions } = start();
    const kept = { name: "Jade Ltd.", country: "JPN", companyId: "kept", companyName: "Kept" };
    resolutions.record({ ...kept, family: "private" });
    expect((await load(["Jade Ltd."], "private")).map(toText)).toEqual(["exact kept"]);
    expect((await load(["Jade Ltd."], "taxonomy")).map(toText)).toEqual(["none"]);
  });

  it("puts what the workbook keeps of a name before any match, and needs no index for that", async () => {
    const { load, asked, resolutions } = start({ hasIndexes: false });
    resolutions.record({ name: "Sakura", country: "JPN", companyId: "chosen", companyName: "Chosen" });
    const [match] = await load(["Sakura"]);
    expect(match).toEqual({
      state: "exact",
      candidates: [{ company: { companyId: "chosen", companyName: "Chosen" }, score: 1, evidence: ["workbook"] }],
      alike: 1,
      isDecided: true,
      sameAs: null,
    });
    expect(asked).toEqual([]);
  });

  it("gives what the index knows of a company that the workbook keeps", async () => {
    const { load, resolutions } = start();
    resolutions.record({ name: "Kirsche", country: "JPN", companyId: FOODS.toUpperCase(), companyName: "Old Name" });
    const [match] = await load(["Kirsche"]);
    expect(match?.candidates).toEqual([
      {
        company: { companyId: FOODS, companyName: "Sakura Foods", families: "private" },
        score: 1,
        evidence: ["workbook"],
      },
    ]);
  });

  it("gives no company to a name that has none by a person's decision, whatever the index has", async () => {
    const { load, asked, resolutions } = start();
    resolutions.record({ name: "Sakura Foods", country: "JPN", companyId: "", companyName: "" });
    const matches = await load([" Sakura Foods ", "SAKURA FOODS KK"]);
    expect(matches[0]).toEqual({ state: "none", candidates: [], alike: 0, isDecided: true, sameAs: null });
    expect([matches[1]?.state, matches[1]?.isDecided]).toEqual(["sure", false]);
    expect(asked).toEqual(["JPN 1"]);
  });

  it("matches 25 names at a time, and says how many are matched", async () => {
    const { load, counts, asked } = start();
    await load(Array.from({ length: 60 }, () => "Sakura Foods"));
    expect(counts).toEqual(["25 of 60", "50 of 60"]);
    expect(asked).toEqual(["JPN 25", "JPN 25", "JPN 10"]);
  });

  it("ends with the next names when it is cancelled", async () => {
    const { load, abort, asked } = start();
    const loading = load(Array.from({ length: 60 }, () => "Sakura Foods"));
    abort.abort(new Error("cancelled"));
    await expect(loading).rejects.toThrow("cancelled");
    expect(asked.length).toBeLessThanOrEqual(1);
  });
});
