// Runs in a page with the genuine Office.js and none of our code; imports types alone.
import type { CompanyFinancials, CompanyPageRanking, CompanyRanking } from "../../../../src/contract/types";

export interface BatchOptions {
  /** The most companies in a request. */
  size: number;
  /** Delay after the first call in milliseconds; null sends at the end of the calls' own task. */
  waitMs: number | null;
}

declare global {
  interface Window {
    contenders: typeof contenders;
  }
}

type Invocation = CustomFunctions.StreamingInvocation<unknown[][]>;
type Given = [company: string[][], year: number[][], metric: string[][], basis: null, unit: null, Invocation];

interface PendingCell {
  id: string;
  year: number;
  metric: string;
  invocation: Invocation;
  shown?: unknown;
}

const PATH = "/asia/private-markets/v1/financials";
let access = { baseUrl: "", token: "" };

/** Sends a request below the API's address: POST with a body, else GET. */
async function read<T>(path: string, body?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${access.token}`,
    "feed-client": "excel",
    ...(body && { "content-type": "application/json" }),
  };
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch(access.baseUrl + path, request)).json() as Promise<T>;
}

function answer(request: (cell: PendingCell) => void): void {
  CustomFunctions.associate("FINANCIAL", (...[company, year, metric, , , invocation]: Given) =>
    request({ id: company[0]![0]!, year: year[0]![0]!, metric: metric[0]![0]!, invocation }),
  );
}

/** Sets each cell's figure if it changed; prefers the consolidated one. */
function show({ years }: CompanyFinancials, cells: readonly PendingCell[]): void {
  const figures = new Map<string, unknown>();
  for (const { year, statements } of years) {
    for (const { consolidationType, metrics } of statements) {
      for (const { name, value } of metrics) {
        const key = `${year} ${name}`;
        if (consolidationType === "CONSOLIDATED" || !figures.has(key)) figures.set(key, value);
      }
    }
  }
  for (const cell of cells) {
    const figure = figures.get(`${cell.year} ${cell.metric}`);
    if (figure === cell.shown) continue;
    cell.shown = figure;
    cell.invocation.setResult([[figure]]);
  }
}

function toGroups<Key>(cells: readonly PendingCell[], toKey: (cell: PendingCell) => Key): Map<Key, PendingCell[]> {
  const groups = new Map<Key, PendingCell[]>();
  for (const cell of cells) {
    const group = groups.get(toKey(cell));
    if (group === undefined) groups.set(toKey(cell), [cell]);
    else group.push(cell);
  }
  return groups;
}

/** Calls `send` once with everything requested until then. */
function createCollecting(waitMs: number | null, send: (cells: PendingCell[]) => void): (cell: PendingCell) => void {
  const cells: PendingCell[] = [];
  const sendAll = () => send(cells.splice(0));
  return (cell) => {
    if (cells.push(cell) > 1) return;
    if (waitMs === null) queueMicrotask(sendAll);
    else setTimeout(sendAll, waitMs);
  };
}

function sendBatches(cells: readonly PendingCell[], size: number): void {
  const groups = toGroups(cells, ({ id }) => id);
  const ids = [...groups.keys()];
  for (let from = 0; from < ids.length; from += size) {
    void read<{ data: CompanyFinancials[] }>(PATH, { companyIds: ids.slice(from, from + size) }).then(({ data }) => {
      for (const each of data) show(each, groups.get(each.companyId) ?? []);
    });
  }
}

function sendEach(cells: readonly PendingCell[]): void {
  for (const group of toGroups(cells, ({ id, year }) => `${id}?year=${year}`)) {
    const [query, waiting] = group;
    void read<CompanyFinancials>(`${PATH}/companies/${query}`).then((each) => show(each, waiting));
  }
}

const toPromise = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open("bare");
  opening.onupgradeneeded = () => opening.result.createObjectStore("answers");
  return (await toPromise(opening)).transaction("answers", mode).objectStore("answers");
}

async function storeAll(): Promise<void> {
  const companyIds = [...toGroups(live, ({ id }) => id).keys()];
  const { data } = await read<{ data: CompanyFinancials[] }>(PATH, { companyIds });
  const store = await openStore("readwrite");
  await Promise.all(data.map((each) => toPromise(store.put(JSON.stringify(each), each.companyId))));
}

async function showStored(cells: readonly PendingCell[]): Promise<void> {
  const groups = toGroups(cells, ({ id }) => id);
  const texts = await toPromise<string[]>((await openStore("readonly")).getAll());
  for (const text of texts) {
    const each = JSON.parse(text) as CompanyFinancials;
    show(each, groups.get(each.companyId) ?? []);
  }
}

type Ranked = Pick<CompanyRanking, "companyName" | "tickerSymbol" | "headquarters">;

interface Page<Row> {
  data: Row[];
  total: number;
}

const PAGE_SIZE = 1_000;
const HEADERS = ["rank", "companyName", "tickerSymbol", "headquarters", "statistics"];

function toTable<Row extends Ranked>(rows: readonly Row[], toStatistics: (row: Row) => object | null): unknown[][] {
  const body = rows.map((row, index) => {
    const statistics = Object.values(toStatistics(row) ?? {}).flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [value],
    );
    return [index + 1, row.companyName, row.tickerSymbol, row.headquarters, ...statistics];
  });
  const width = Math.max(...body.map(({ length }) => length));
  return [HEADERS, ...body].map((row) => Array.from({ length: width }, (_, place) => row[place] ?? ""));
}

const toPath = (resource: string, [start, end]: readonly [string, string], page: number, size: number) =>
  `/japan/ranking/v1/${resource}?start_datetime=${start}T00:00:00&end_datetime=${end}T23:59:59&page=${page}&page_size=${size}`;

const AT_A_TIME = 4;

/** The first page tells the number of pages; the others are requested four at a time, and shown together. */
async function showCompanies(start: string, end: string, invocation: Invocation): Promise<void> {
  const pages: Page<CompanyRanking>[] = [];
  const readPage = async (page: number) => {
    const answer = await read<Page<CompanyRanking>>(toPath("companies", [start, end], page, PAGE_SIZE));
    pages[page] = answer;
    return answer;
  };
  const { total } = await readPage(1);
  let page = 1;
  const readOn = async () => {
    while (page < total / PAGE_SIZE) await readPage(++page);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readOn));
  const rows = pages.flatMap(({ data }) => data);
  const table = toTable(rows, ({ totalPageViews, totalUniquePageViews, engagementTime }) => ({
    totalPageViews,
    totalUniquePageViews,
    ...engagementTime,
  }));
  invocation.setResult(table);
}

/** One answer has all page types of a ranking. */
const answers = new Map<string, Promise<Page<CompanyPageRanking>>>();

async function showPages(start: string, end: string, type: string, invocation: Invocation): Promise<void> {
  const path = toPath("company-pages", [start, end], 1, 100);
  const answer = answers.get(path) ?? read<Page<CompanyPageRanking>>(path);
  answers.set(path, answer);
  const { data } = await answer;
  invocation.setResult(toTable(data, ({ pages }) => (pages as Record<string, object | null>)[type] ?? null));
}

function answerRankings(): void {
  CustomFunctions.associate(
    "RANKING",
    (start: string, end: string, _top: string, _fields: null, _by: null, _headers: null, invocation: Invocation) =>
      void showCompanies(start, end, invocation),
  );
  CustomFunctions.associate(
    "RANKING.PAGES",
    (start: string, end: string, type: string, _top: null, _fields: null, _headers: null, invocation: Invocation) =>
      void showPages(start, end, type, invocation),
  );
}

let live: readonly PendingCell[] = [];
let refresh = () => {};

const contenders = {
  /** Gives the API's address and a token. */
  open(given: typeof access): void {
    access = given;
  },
  inBatches({ size, waitMs }: BatchOptions): void {
    refresh = () => sendBatches(live, size);
    answer(
      createCollecting(waitMs, (cells) => {
        live = live.concat(cells);
        sendBatches(cells, size);
      }),
    );
  },
  /** Requests each company and year once, six in parallel as browsers allow. */
  oneByOne: () => answer(createCollecting(null, sendEach)),
  /** Refetches all cells, and sets the changed ones; batching contenders alone. */
  refresh: () => refresh(),
  /** Fetches once more, and stores the answer for a later page. */
  store: storeAll,
  /** Shows an earlier page's stored answers, read at once, without a request. */
  fromStored: () => answer(createCollecting(null, (cells) => void showStored(cells))),
  rankings: answerRankings,
};
window.contenders = contenders;
