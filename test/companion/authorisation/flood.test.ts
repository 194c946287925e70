import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "@jest/globals";
import { until } from "../../support/until";
import { openFirm, type TestFirm } from "./firm";

/** As many as a provider request holds (§4.2), so that no request waits to be filled. */
const AT_ONCE = 25;

let firm: TestFirm;

const toElement = (companyId: string) => ({ companyId, years: [] });
/** Ids with a person's hexadecimal digit at the beginning. */
const listIds = (digit: string, count: number) =>
  Array.from({ length: count }, (_each, index) => `${digit}0000000-0000-4000-8000-${String(index).padStart(12, "0")}`);

/** Answers with the companies of the request. */
function answerTo(body: string, ...[, response]: Parameters<RequestListener>): void {
  const { companyIds = [] } = JSON.parse(body || "{}") as { companyIds?: string[] };
  const { length: total } = companyIds;
  response.end(JSON.stringify({ data: companyIds.map(toElement), page: 1, pageSize: total, total }));
}

const answer: RequestListener = (...exchange) => answerTo(firm.provider.seen.at(-1)?.body ?? "", ...exchange);

const chunksOf = (ids: readonly string[]) =>
  Array.from({ length: ids.length / AT_ONCE }, (_each, index) => ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE));

afterEach(() => firm.close());

describe("a person who requests more companies than allowed", () => {
  it("gets a time to retry, and no other person is limited", async () => {
    firm = await openFirm({ personPerMinute: 500 }, answer);
    const flooder = await firm.signIn("flooder", []);
    const other = await firm.signIn("other", []);
    const flood = Promise.all(chunksOf(listIds("f", 1000)).map((ids) => flooder.post(ids)));
    const others = Promise.all(chunksOf(listIds("a", 500)).map((ids) => other.post(ids)));
    const statuses = (await flood).map(({ status }) => status);
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const refused = (await flood).filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { headers } of refused) {
      expect(headers["feed-refusal"]).toBe("FEED_RATE_LIMITED");
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  it("can still read cached companies, which cost the provider nothing", async () => {
    firm = await openFirm({ personPerMinute: 50 }, answer);
    const flooder = await firm.signIn("flooder", []);
    const ids = listIds("f", AT_ONCE);
    for (let read = 0; read < 10; read += 1) expect((await flooder.post(ids)).status).toBe(200);
    expect(firm.listReads()).toHaveLength(1);
  });

  it("does not delay a person who requests one company", async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    firm = await openFirm({ providerPerMinute: 100_000, personPerMinute: 100_000 }, (request, response) => {
      const { body } = firm.provider.seen.at(-1)!;
      opened.then(() => answerTo(body, request, response));
    });
    const flooder = await firm.signIn("flooder", []);
    const other = await firm.signIn("other", []);
    const flood = chunksOf(listIds("f", 1000)).map((ids) => flooder.post(ids));
    await until(() => firm.listReads().length >= 6);
    // By then all requests have arrived and wait for the first answer.
    for (let times = 0; times < 10; times += 1) await flooder.get("/nothing");
    const one = other.post(listIds("a", 1));
    for (let times = 0; times < 10; times += 1) await other.get("/nothing");
    // Six, unless the machine is so slow that some are hedged.
    const before = firm.listReads().length;
    open();
    expect((await one).status).toBe(200);
    const position = firm.listReads().findIndex(({ body }) => body.includes('"a0000000'));
    expect([position >= before, position < before + 2]).toEqual([true, true]);
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(firm.listReads().length).toBeLessThanOrEqual(41 + before - 6);
  });
});

describe("a person who sends more requests than allowed", () => {
  it("gets a time to retry on all of their machines, and no other person is limited", async () => {
    firm = await openFirm({}, answer);
    const machines = [await firm.signIn("flooder", []), await firm.signIn("flooder", [])];
    const other = await firm.signIn("other", []);
    const flood = await Promise.all(Array.from({ length: 61 }, (_each, index) => machines[index % 2]!.exchange()));
    expect(flood.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(1);
    for (const { exchange } of machines) expect((await exchange()).status).toBe(429);
    expect((await other.exchange()).status).toBe(200);
  });
});
