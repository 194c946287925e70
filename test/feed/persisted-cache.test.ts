import { afterEach, describe, expect, it } from "@jest/globals";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../support/feed";
import type { Received } from "../support/http-server";
import { until } from "../support/until";
import { createPage, keepFreshStorage, readPersisted, untilPersisted } from "./persisted-cache-storage";

keepFreshStorage();
const CONTACTS = { email: "ceo@example.com", phoneNumber: "+81 3 1234 5678" };
const opened: FeedOnServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const toFinancials = (companyId: string) => ({
  companyId,
  years: [2021, 2022].map((year) => ({
    year,
    statements: [
      { statementType: "PL", consolidationType: "CONSOLIDATED", metrics: [{ name: "Revenue", value: 100 }] },
    ],
  })),
});

function answer({ path, body }: Received) {
  if (path.includes("/financials")) {
    const one = /financials\/companies\/(\w+)$/.exec(path)?.[1];
    if (one !== undefined) return { json: toFinancials(one) };
    const { companyIds = [] } = body as { companyIds?: string[] };
    const data = companyIds.map(toFinancials);
    return { json: { data, page: 1, pageSize: 25, total: data.length } };
  }
  const id = /companies\/(\w+)$/.exec(path)?.[1];
  return id && { json: { id, name: "Example", representatives: [{ fullName: "A. B.", role: "CEO", ...CONTACTS }] } };
}

/** Reopens the page: memory is empty, persisted data remains. */
async function open(owner = "client"): Promise<FeedOnServer> {
  const running = await startFeedOn((request) => answer(request) || undefined, {}, owner);
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
    own.store("a", "own");
    other.store("a", "other");
    await untilPersisted(2);
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
    one.store("a", "newer", 2_000);
    await untilPersisted(1);
    other.store("a", "older", 1_000);
    other.store("b", "last", 1_000);
    await untilPersisted(2);
    expect(await createPage().load("a")).toBe("newer");
  });

  it("are found under the key stored last, however old its answer, since an undo stores old ones", async () => {
    const page = createPage();
    page.store("narrow", "of before", 2_000);
    page.store("wide", "put back", 1_000);
    await untilPersisted(2);
    expect(await createPage().answers.load(["narrow", "wide"])).toMatchObject({ value: "put back", hash: "wide" });
  });
});

/** Whether a use of the answer was recorded within the last second. */
const isUsed = async (hash: string, nowMs: number) =>
  ((await readPersisted()).uses.get(`client\n${hash}`)?.usedAtMs ?? 0) > nowMs - 1_000;

describe("equal answers", () => {
  const value = { companyId: "a" };

  it("are stored once and read as one value", async () => {
    const page = createPage();
    page.store("number", value);
    page.store("id", value);
    await untilPersisted(2);
    const texts = [...(await readPersisted()).answers.values()].map(({ text }) => text);
    expect(texts.filter((text) => text !== null)).toHaveLength(1);
    const { answers } = createPage();
    const [one, other] = await Promise.all([answers.load(["number"]), answers.load(["id"])]);
    expect(one?.value).toEqual(value);
    expect(other?.value).toBe(one?.value);
  });

  it("are found although the other has since been stored as equal to a third", async () => {
    const [first, second] = [createPage(), createPage()];
    first.store("id", value, 1_000);
    first.store("number", value, 1_000);
    await untilPersisted(2);
    const newer = { companyId: "a", name: "New" };
    second.store("whole", newer, 2_000);
    second.store("id", newer, 2_000);
    await untilPersisted(3);
    expect(await createPage().load("number")).toEqual(newer);
  });

  it.each(["number", "id"])("stay together while one of them is used, as by its %s", async (used) => {
    const first = createPage("client", 1_000);
    first.store("id", value);
    first.store("number", value);
    await untilPersisted(2);
    const second = createPage("client", 1_000);
    await second.clock.advance(60_000);
    for (let number = 0; number < 3; number++) {
      second.store(`other ${number}`, "x".repeat(280));
      await untilPersisted(3 + number);
    }
    await second.clock.advance(60_000);
    await second.load(used);
    await until(async () => await isUsed(used, second.clock.nowMs()));
    second.store("last", "x".repeat(280));
    await until(async () => !(await readPersisted()).answers.has("client\nother 0"));
    expect([await createPage().load("number"), await createPage().load("id")]).toEqual([value, value]);
  });
});

describe("the persisted cache", () => {
  it("is bounded and evicts the least recently used", async () => {
    const page = createPage("client", 1_000);
    for (const hash of ["a", "b", "c"]) {
      page.store(hash, hash.repeat(298));
      await untilPersisted(hash.charCodeAt(0) - 96);
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
    page.store("a", "value");
    await untilPersisted(1);
    expect(await page.answers.forget()).toBe(true);
    expect([await page.answers.size(), await page.load("a")]).toEqual([0, null]);
    page.store("b", "value");
    await untilPersisted(1);
    expect(await createPage().load("b")).toBe("value");
  });
});
