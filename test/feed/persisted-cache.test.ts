import { afterEach, describe, expect, it } from "@jest/globals";
import { awaitAnswer, type FeedOnServer, listen, startFeedOn } from "../support/feed";
import type { Received } from "../support/http-server";
import { until } from "../support/until";
import { createPage, keepFreshStorage, readPersisted, untilPersisted } from "./persisted-cache-storage";

keepFreshStorage();
const CONTACTS = { email: "ceo@example.com", phoneNumber: "+81 3 1234 5678" };
const opened: FeedOnServer[] = [];
/** The figure of each year at the provider. */
let revenue = 100;
afterEach(async () => {
  revenue = 100;
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const toFinancials = (companyId: string, requestedYear: string | null = null) => ({
  companyId,
  years: (requestedYear === null ? [2021, 2022] : [Number(requestedYear)]).map((year) => {
    const metrics = [{ name: "Revenue", value: revenue }];
    return { year, statements: [{ statementType: "PL", consolidationType: "CONSOLIDATED", metrics }] };
  }),
});

function answer({ path, query, body }: Received) {
  if (path.includes("/financials")) {
    const one = /financials\/companies\/(\w+)$/.exec(path)?.[1];
    if (one !== undefined) return { json: toFinancials(one, query.get("year")) };
    const { companyIds = [] } = body as { companyIds?: string[] };
    const data = companyIds.map((id) => toFinancials(id));
    return { json: { data, page: 1, pageSize: 25, total: data.length } };
  }
  const id = /companies\/(\w+)$/.exec(path)?.[1];
  return id && { json: { id, name: "Example", representatives: [{ fullName: "A. B.", role: "CEO", ...CONTACTS }] } };
}

/** Reopens the page: memory is empty, persisted data remains. */
async function open(owner = "client", startMs?: number): Promise<FeedOnServer> {
  const running = await startFeedOn((request) => answer(request) || undefined, { startMs }, owner);
  opened.push(running);
  return running;
}

const loadYears = async ({ feed }: FeedOnServer) =>
  Promise.all(
    [2021, 2022].flatMap((year) =>
      ["a", "b"].map((companyId) => awaitAnswer(feed, feed.financials.query({ companyId }, { year }))),
    ),
  );

describe("answers", () => {
  it("serve the next opening without a request", async () => {
    const first = await open();
    const before = await loadYears(first);
    await untilPersisted(2);
    const second = await open();
    expect(await loadYears(second)).toEqual(before);
    expect(second.requests()).toEqual([]);
  });

  it("serve only the client they belong to", async () => {
    await loadYears(await open());
    await untilPersisted(2);
    const other = await open("other");
    await loadYears(other);
    expect(other.requests()).toHaveLength(1);
  });

  it("of other clients are dropped when the client changes", async () => {
    const [own, other] = [createPage("client"), createPage("other")];
    await own.persist({ a: "own" });
    await other.persist({ a: "other" });
    own.answers.evictOthers();
    await until(async () => (await readPersisted()).answers.size === 1);
    expect([await createPage("client").load("a"), await createPage("other").load("a")]).toEqual(["own", null]);
    expect([...(await readPersisted()).uses.keys()]).toEqual(["client\na"]);
  });

  it("hold no token and no contact data", async () => {
    const { feed, server } = await open();
    const row = await awaitAnswer(feed, feed.companies.query("a"));
    expect(JSON.stringify(row)).toContain(CONTACTS.email);
    await awaitAnswer(feed, feed.financials.query({ companyId: "a" }));
    await untilPersisted(2);
    const sent = server.requests.flatMap(({ headers }) => headers.authorization ?? []);
    expect(sent.length).toBeGreaterThan(0);
    const all = JSON.stringify([...(await readPersisted()).answers, ...(await readPersisted()).uses]);
    expect(all).toContain("A. B.");
    for (const secret of [...Object.values(CONTACTS), ...sent, ...sent.map((each) => each.replace(/^\w+ /, ""))]) {
      expect(all).not.toContain(secret);
    }
    expect(all).not.toMatch(/assertion-|token-/);
  });

  it("are the newest that any window stored", async () => {
    const [one, other] = [createPage(), createPage()];
    await one.persist({ a: "newer" }, 2_000);
    await other.persist({ a: "older", b: "last" }, 1_000);
    expect(await createPage().load("a")).toBe("newer");
  });

  it("are found under the key stored last, however old its answer, since an undo stores old ones", async () => {
    const page = createPage();
    page.store("narrow", "of before", 2_000);
    await page.persist({ wide: "put back" }, 1_000);
    expect(await createPage().answers.load(["narrow", "wide"])).toMatchObject({ value: "put back", hash: "wide" });
  });
});

/** Whether a use of the answer was recorded within the last second. */
const isUsed = async (hash: string, nowMs: number) =>
  ((await readPersisted()).uses.get(`client\n${hash}`)?.usedAtMs ?? 0) > nowMs - 1_000;

it("an answer of two queries stays for one of them when the other gets a new one", async () => {
  const value = { companyId: "a" };
  const page = createPage();
  await page.persist({ id: value, number: value }, 1_000);
  await page.persist({ id: { companyId: "a", name: "New" } }, 2_000);
  expect(await createPage().load("number")).toEqual(value);
});

describe("the persisted cache", () => {
  it("is bounded and evicts the least recently used", async () => {
    const page = createPage("client", 1_000);
    for (const hash of ["a", "b", "c"]) {
      await page.persist({ [hash]: hash.repeat(298) });
      await page.clock.advance(1_000);
    }
    const next = createPage("client", 1_000);
    await next.clock.advance(60_000);
    await next.load("a");
    await until(async () => await isUsed("a", next.clock.nowMs()));
    next.store("d", "d".repeat(298));
    await until(async () => !(await readPersisted()).answers.has("client\nc"));
    expect([...(await readPersisted()).answers.keys()].sort()).toEqual(["client\na", "client\nd"]);
    expect(await next.answers.size()).toBe(600);
  });

  it("can be cleared as a whole", async () => {
    const page = createPage();
    await page.persist({ a: "value" });
    expect(await page.answers.forget()).toBe(true);
    expect([await page.answers.size(), await page.load("a")]).toEqual([0, null]);
    await page.persist({ b: "value" });
    expect(await createPage().load("b")).toBe("value");
  });
});

const queryYear = ({ feed }: FeedOnServer, year: number) => feed.financials.query({ companyId: "a" }, { year });

async function readRevenue(page: FeedOnServer, year: number): Promise<unknown> {
  const { years } = await awaitAnswer(page.feed, queryYear(page, year));
  return years.find((each) => each.year === year)?.statements[0]?.metrics[0]?.value;
}

/** Subscribes to a year until the page closes. */
async function watchYear(page: FeedOnServer, year: number): Promise<void> {
  listen(page.feed, queryYear(page, year));
  await readRevenue(page, year);
}

/** Waits until an answer stored after a time is persisted. */
const untilPersistedAfter = (ms: number) =>
  until(async () => [...(await readPersisted()).answers.values()].some(({ writtenAtMs }) => writtenAtMs > ms));

it.each([
  ["that asked each year alone before", false],
  ["of one year whose company came whole before", true],
])("an undone refresh %s stays undone when the page is reopened", async (_, wasWhole) => {
  const first = await open();
  const watched = watchYear(first, 2021);
  if (!wasWhole) await watched;
  await Promise.all([watched, watchYear(first, 2022)]);
  revenue = 107;
  await first.clock.advance(60_000);
  await first.feed.queryCache.refresh(wasWhole ? { keys: [queryYear(first, 2021).key] } : {});
  expect(await readRevenue(first, 2021)).toBe(107);
  const refreshedAtMs = first.clock.nowMs() + 1;
  await first.clock.advance(1_000);
  first.feed.queryCache.undo();
  expect(await readRevenue(first, 2021)).toBe(100);
  await untilPersistedAfter(refreshedAtMs);
  const second = await open("client", first.clock.nowMs() + 60_000);
  expect(await readRevenue(second, 2021)).toBe(100);
  expect(second.requests()).toEqual([]);
});

it("an answer newer than the wider one beside it is shown when the page is reopened", async () => {
  const first = await open();
  await Promise.all([watchYear(first, 2021), watchYear(first, 2022)]);
  revenue = 107;
  const filledAtMs = first.clock.nowMs() + 1;
  await first.clock.advance(60_000);
  await first.feed.queryCache.refresh({ keys: [queryYear(first, 2021).key] });
  expect([await readRevenue(first, 2021), await readRevenue(first, 2022)]).toEqual([107, 100]);
  await untilPersistedAfter(filledAtMs);
  const second = await open("client", first.clock.nowMs() + 60_000);
  expect([await readRevenue(second, 2021), await readRevenue(second, 2022)]).toEqual([107, 100]);
  expect(second.requests()).toEqual([]);
});

it("an answer stored by a fast clock is replaced by the next one", async () => {
  const ahead = await open("client", Date.UTC(2030, 0, 1));
  await readRevenue(ahead, 2021);
  await until(async () => (await readPersisted()).answers.size > 0);
  const page = await open("client", Date.UTC(2024, 10, 20));
  await watchYear(page, 2021);
  revenue = 107;
  await page.feed.queryCache.refresh();
  expect(await readRevenue(page, 2021)).toBe(107);
  await until(async () => [...(await readPersisted()).answers.values()].every(({ text }) => !text?.includes(":100")));
  const next = await open("client", page.clock.nowMs() + 60_000);
  expect(await readRevenue(next, 2021)).toBe(107);
});
