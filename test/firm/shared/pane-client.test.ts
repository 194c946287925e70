import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { NO_LESSONS, type Outcomes, toGroups } from "../../../src/client/batch/planner";
import type { Provider } from "../../../src/client/provider";
import type { Financials } from "../../../src/feed/decode";
import { loadChunk } from "../../../src/feed/financials/batch";
import { FRESHNESS } from "../../../src/firm/reads/shared/shared-cache";
import { USUAL_MS } from "../../../src/session/freshness";
import { openFirm, type TestFirm } from "../authorisation/firm";
import { createDirectPane, createPane } from "../authorisation/pane";
import { answerFinancials, ids, type ProviderAnswer, readRequested } from "./shared-reads-world";

const COMPANIES = 30;
/** Requests a minute: the provider's usual limit would space those of single companies over many seconds. */
const FASTEST = 1_000_000;
const UNKNOWN = ["ffffffff-0000-4000-8000-000000000000", "fffffffe-0000-4000-8000-000000000000"];

let firm: TestFirm;
let say: typeof answerFinancials;

async function readAll(
  pane: Provider,
  companyIds: readonly string[],
  year: number | null,
): Promise<Outcomes<Financials>> {
  const chunk = { provider: pane, memory: { lessons: NO_LESSONS }, year, options: {} };
  const chunks = await Promise.all(toGroups(companyIds, 25).map((group) => loadChunk(chunk, group)));
  return new Map(chunks.flatMap((each) => [...each]).sort(([one], [other]) => one.localeCompare(other)));
}

const answer: RequestListener = ({ method }, response) => {
  const seen = firm.provider.seen.at(-1)!;
  const isUnknown = method === "GET" && readRequested(seen).companyIds[0]!.startsWith("f");
  const { status = 200, body } = isUnknown ? { status: 404, body: "{}" } : say(seen);
  response.writeHead(status, { "content-type": "application/json" }).end(body);
};

beforeEach(async () => {
  firm = await openFirm({ providerPerMinute: FASTEST }, answer);
});
afterEach(() => firm.close());

const rewrite =
  (change: (body: string) => string) =>
  (seen: Parameters<typeof answerFinancials>[0]): ProviderAnswer => ({ body: change(answerFinancials(seen).body) });
const reverse = (body: string) => {
  const answer = JSON.parse(body);
  return Array.isArray(answer.data) ? JSON.stringify({ ...answer, data: answer.data.reverse() }) : body;
};
/** An element for each year. */
const toPieces = (body: string) => {
  const { data } = JSON.parse(body);
  if (data === undefined) return body;
  const pieces = data.flatMap(({ companyId, years }: { companyId: string; years: object[] }) =>
    years.map((year) => ({ companyId, years: [year] })),
  );
  return JSON.stringify({ data: pieces, page: 1, pageSize: 25, total: pieces.length });
};

const PROVIDERS: readonly [what: string, say: typeof answerFinancials][] = [
  ["answers as the API document has it", answerFinancials],
  ["cuts after ten and says so", (seen) => answerFinancials(seen, 10)],
  ["cuts after ten and does not say so", (seen) => answerFinancials(seen, 10, (_all, came) => came)],
  ["cuts after ten and says nothing of a total", (seen) => answerFinancials(seen, 10, () => null as never)],
  ["writes numbers that are none", rewrite((body) => body.replace(/(00000003-.*?)1\.50e3/, "$1NaN"))],
  ["has fields that nobody knows", rewrite((body) => body.replaceAll('"years"', '"more": {"data": ["]}"]}, "years"'))],
  ["gives elements in another order", rewrite(reverse)],
  ["writes ids in capitals", rewrite((body) => body.replaceAll(/[0-9a-f-]{36}/g, (each) => each.toUpperCase()))],
  ["gives an element for each year", rewrite(toPieces)],
  ["spoils a company", rewrite((body) => body.replace(/"00000003-[^"]*", "years"/, '7, "years"'))],
  [
    "refuses all for one",
    (seen) =>
      readRequested(seen).companyIds.includes(ids(1, 3)[0]!) ? { status: 400, body: "{}" } : answerFinancials(seen),
  ],
];

describe.each(PROVIDERS)("the pane's own client, if the provider %s", (_what, says) => {
  it.each([null, 2020])("reads the same values from shared answers as from the provider, for year %s", async (year) => {
    say = says;
    const plain = createDirectPane(`http://127.0.0.1:${firm.provider.port}`);
    const shared = createPane(firm.origin, (await firm.signIn("ann", [])).headers);
    const all = [...ids(COMPANIES), ...UNKNOWN];
    const expected = await readAll(plain, all, year);
    const parts = [all, all.slice(10), all.slice(5, 20), [...all].reverse()];
    const read = await Promise.all(parts.map((part) => readAll(shared, part, year)));
    const known = await readAll(shared, all, year);
    expect(known).toEqual(expected);
    for (const [nth, part] of parts.entries()) {
      expect(read[nth]).toEqual(new Map([...expected].filter(([id]) => part.includes(id))));
    }
  });
});

it("shared answers of each family are fresh no longer than the pane takes them for fresh", () => {
  for (const [family, { current, closed }] of Object.entries(USUAL_MS))
    expect(FRESHNESS[family as keyof typeof FRESHNESS].freshMs).toBeLessThanOrEqual(Math.min(current, closed));
});
