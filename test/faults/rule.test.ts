import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { until } from "../support/clock";
import { toParameters } from "../support/formula-arguments";
import type { FormulaCell } from "../support/formula-cells";
import { readSignatures } from "../support/formula-signatures";
import type { Answering, Received } from "../support/http-server";
import { readCells } from "./revenue";
import { type Page, type Stage, setStage } from "./stage";

const MARKETS = "/asia/private-markets/v1";
const METRICS = ["Revenue", "EBIT", "Total Assets"];
const YEARS = [2021, 2022, 2023];

/** Figures of a company, by year and metric. */
type Figures = Readonly<Record<string, number>>;

let stage: Stage;
let page: Page;
let truths: Map<string, Figures>;

beforeAll(async () => {
  stage = await setStage();
  truths = await readTruths(40);
});
beforeEach(async () => {
  stage.meddler.reset();
  page = await stage.open();
  await page.formulas.session.connect();
  stage.meddler.reset();
});
afterEach(() => page.close());
afterAll(() => stage.close());

/** Of the first companies that have one number for each year and metric. */
async function readTruths(count: number): Promise<Map<string, Figures>> {
  const { data } = await stage.read<CompanyPage>(`${MARKETS}/companies?country=JPN&page_size=100`);
  const found = new Map<string, Figures>();
  for (const { id } of data) {
    if (found.size === count) break;
    const figures = toFigures(await stage.read<CompanyFinancials>(`${MARKETS}/financials/companies/${id}`));
    if (Object.keys(figures).length === YEARS.length * METRICS.length) found.set(id, figures);
  }
  return found;
}

function toFigures({ years }: CompanyFinancials): Figures {
  const figures = years.flatMap(({ year, statements }) =>
    statements.flatMap(({ metrics }) => metrics.map(({ name, value }) => [`${year} ${name}`, value] as const)),
  );
  const wanted = YEARS.flatMap((year) => METRICS.map((metric) => `${year} ${metric}`));
  const own = wanted.map((name) => figures.filter(([other, value]) => other === name && typeof value === "number"));
  return Object.fromEntries(own.flatMap((same) => (same.length === 1 ? same : [])));
}

describe("a formula whose provider never answers", () => {
  it("says so after 30 seconds, whichever it is, and shows its value once there is one", async () => {
    const { formulas, clock } = page;
    stage.meddler.answer = ({ path }) => (path === "/token" ? undefined : { raw: () => {} });
    const asking = readSignatures().filter(({ name }) => name !== "STATUS");
    const cells = asking.map((signature) => formulas.type(signature.name, ...toParameters(signature, "", null)));
    const [id, truth] = [...truths][0] as [string, Figures];
    const figure = formulas.type("FINANCIAL", [[id]], [[2023]], [["Revenue"]]);
    await until(() => stage.meddler.requests.length >= 5);
    await clock.advance(29_000);
    expect([...cells, figure].flatMap(({ shown }) => shown)).toEqual([]);
    await clock.advance(1_000);
    const late = expect.stringMatching(/^#N\/A FEED_(TIMED_OUT|INDEX_NOT_READY): .*(refresh|connect)/);
    expect(readCells([...cells, figure])).toEqual([...cells, figure].map(() => late));
    for (const cell of cells) cell.cancel();
    stage.meddler.reset();
    await formulas.session.refresh();
    await page.rest();
    expect(readCells([figure])).toEqual([truth["2023 Revenue"]]);
  });
});

/** An answer in the provider's place, a change of its list, or another company's record. */
type Spoiling = Answering | ((body: Rows) => unknown) | "another's";

/** What becomes of a request, each as likely as the others. */
const FAULTS: readonly Spoiling[] = [
  { status: 500, json: {} },
  { status: 503, text: "<p>later</p>" },
  { status: 429, headers: { "retry-after": "1" }, json: {} },
  { status: 408, json: {} },
  { text: "<!doctype html><p>Sign in</p>" },
  { text: '{"data":[{"companyId":' },
  { text: "" },
  { raw: (response) => response.socket?.resetAndDestroy() },
  {
    raw: (response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"data":[]}'.repeat(9)).subarray(0, 25)),
  },
  (body) => ({ ...body, data: body.data?.slice(0, 7) }),
  (body) => ({ ...body, data: body.data?.slice(1), total: body.data?.length }),
  (body) => ({ ...body, data: body.data?.toReversed() }),
  (body) => ({ ...body, data: body.data?.flatMap((row) => [row, row]) }),
  (body) => ({ ...body, total: 1e9 }),
  () => ({ data: [], total: 0 }),
  "another's",
];

interface Rows {
  data?: CompanyFinancials[];
}

/** Spoils two requests of five, which ones and how by the seed alone. */
function spoil(seed: number): void {
  const { meddler } = stage;
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const pick = () => (next() < 0.4 ? FAULTS[Math.floor(next() * FAULTS.length)] : undefined);
  const picked = new WeakMap<Received, Spoiling>();
  let record: unknown;
  meddler.answer = (request) => {
    const fault = request.path === "/token" ? undefined : pick();
    if (typeof fault === "object") return fault;
    if (fault !== undefined) picked.set(request, fault);
    return undefined;
  };
  meddler.change = (body, request) => {
    const fault = picked.get(request);
    if (typeof fault === "function") return (body as Rows).data === undefined ? body : fault(body as Rows);
    const before = record ?? body;
    if ((body as Rows).data === undefined) record = body;
    return fault === "another's" && (body as Rows).data === undefined ? before : body;
  };
}

describe("cells while their requests fail in every way at once", () => {
  it.each([1, 2, 3])("show nothing but the truth or why there is none, and at last the truth (%d)", async (seed) => {
    const { formulas, clock } = page;
    spoil(seed);
    const cells = [...METRICS.map(typeGrid), ...[...truths.keys()].map(typeSingle)];
    while (cells.some(({ cell }) => cell.shown.length === 0)) await clock.advance(500);
    await formulas.session.refresh();
    stage.meddler.reset();
    await clock.advance(120_000);
    await formulas.session.refresh();
    expect(cells.map(({ cell }) => cell.shown.at(-1))).toEqual(cells.map(({ truth }) => truth));
    expect(cells.flatMap(listWrong)).toEqual([]);
  });
});

/** A cell, and the rows that it must show at last. */
interface Tried {
  cell: FormulaCell;
  truth: readonly (readonly (number | undefined)[])[];
}

function typeGrid(metric: string): Tried {
  const column = [...truths.keys()].map((id) => [id]);
  const truth = [...truths.values()].map((figures) => YEARS.map((year) => figures[`${year} ${metric}`]));
  return { cell: page.formulas.type("FINANCIAL", column, [YEARS], [[metric]]), truth };
}

function typeSingle(id: string): Tried {
  return {
    cell: page.formulas.type("FINANCIAL", [[id]], [[2023]], [["Revenue"]]),
    truth: [[truths.get(id)?.["2023 Revenue"]]],
  };
}

/** Whatever it has shown at any time that is neither the truth of its place nor why there is none. */
function listWrong({ cell, truth }: Tried): unknown[] {
  const isWrong = (value: unknown, expected: unknown) =>
    value !== expected && !/^#N\/A FEED_[A-Z_]+: ./.test(String(value));
  return cell.shown.flatMap((rows) =>
    rows.flatMap((row, r) => row.filter((value, c) => isWrong(value, truth[r]?.[c]))),
  );
}
