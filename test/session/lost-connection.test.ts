import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyPage } from "../../src/contract/types";
import { toPolicies } from "../../src/session/settings";
import { startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { type RunningProvider, startSandbox } from "../support/provider";
import { until } from "../support/until";
import { JANUARY, keepPage } from "./scripted-session";

const portOf = ({ origin }: { origin: string }) => Number(new URL(origin).port);

describe("a lost connection", () => {
  let events: string[];
  /** While set, requests settle as it does. */
  let gone: Promise<Response> | null;

  const page = keepPage(() => startCompanion({ companies: 50 }), { isOfTest: true });
  beforeEach(async () => {
    gone = null;
    page.open({
      startMs: Date.now(),
      fetch(...parameters) {
        page.backMs -= 1; // each request takes a millisecond
        return gone ?? fetch(...parameters);
      },
    });
    await page.session.connect();
    const { feed } = page.session;
    const { body } = await feed.provider.load({
      operation: "searchCompanies",
      query: { country: "JPN", page_size: 1 },
    });
    events = page.watch(feed.companies.query((body as CompanyPage).data[0]?.id as string));
    await until(() => events.at(-1) === "answered");
  });

  const steps = () => Object.values(page.session.journey()).map(({ status }) => status);

  it("is reported when the companion has ended, while the cell keeps its value", async () => {
    await page.server.close();
    expect((await page.session.refresh()).failures).toMatchObject([{ code: "FEED_SIGNER_UNREACHABLE" }]);
    expect(page.session.state()).toMatchObject({ status: "failed", error: { code: "FEED_SIGNER_UNREACHABLE" } });
    expect(page.session.state().configuration).toMatchObject({ sample: true });
    expect(steps()).toEqual(["failed", "waiting", "waiting"]);
    expect(events.at(-1)).toBe("answered: FEED_SIGNER_UNREACHABLE");
  });

  it.each(["connect", "refresh"] as const)("is restored in all steps by %s", async (recover) => {
    await page.server.close();
    await page.session.refresh();
    page.server = await startCompanion({ companies: 50, port: portOf(page.server) });
    await page.session[recover]();
    await until(() => page.session.state().status === "connected" && events.at(-1) === "answered");
    expect(steps()).toEqual(["done", "done", "done"]);
  });

  it("is reported when the provider refuses the key", async () => {
    const { controls } = page.server;
    Object.assign(controls.answers, {
      getCompany: { status: 401, times: 9 },
      createToken: { status: 401, times: 9 },
    });
    await page.session.refresh();
    expect(page.session.state()).toMatchObject({ status: "failed", error: { code: "FEED_TOKEN_REFUSED" } });
    expect(steps()).toEqual(["done", "done", "failed"]);
    controls.reset();
    await page.session.connect();
    await until(() => events.at(-1) === "answered");
  });

  it("is not reported when a data request fails", async () => {
    for (const status of [401, 403, 404, 500]) {
      page.server.controls.answers.getCompany = { status, times: 9 };
      expect((await page.session.refresh()).failures).toHaveLength(1);
      expect([status, page.session.state().status]).toEqual([status, "connected"]);
    }
  });

  it("is not reported when a read from before a newer connection fails", async () => {
    let end = () => {};
    const wait = new Promise<Response>((_, reject) => {
      end = () => reject(new TypeError("no network"));
    });
    gone = wait;
    const read = page.session.refresh();
    gone = null;
    page.session.disconnect();
    await page.session.connect();
    gone = wait;
    end();
    expect((await read).failures).toMatchObject([{ code: "FEED_SIGNER_UNREACHABLE" }]);
    expect(page.session.state().status).toBe("connected");
  });

  it("is retried by the refresh schedule", async () => {
    page.session.change({ refresh: toPolicies("every-5") });
    await page.server.close();
    await page.session.refresh();
    const dueAtMs = page.session.schedule.nextAtMs() as number;
    expect([page.session.state().status, dueAtMs]).toEqual(["failed", expect.any(Number)]);
    page.server = await startCompanion({ companies: 50, port: portOf(page.server) });
    await page.clock.advance(5 * 60_000);
    const { refreshing } = page.session;
    await until(() => (refreshing.state().last?.atMs ?? 0) >= dueAtMs);
    expect(refreshing.state().last).toMatchObject({ refetched: 1, failures: [] });
    expect([page.session.state().status, events.at(-1)]).toEqual(["connected", "answered"]);
  });
});

describe("another companion at the same address", () => {
  let provider: RunningProvider;
  const page = keepPage(
    async () => {
      provider = await startSandbox({ companies: 60, seed: 5 });
      return startCompanion({ provider });
    },
    { isOfTest: true },
  );
  afterEach(() => provider.close());

  it("rejects another provider's answers even if the companion renews the token there", async () => {
    page.open({ startMs: Date.now() });
    await page.session.pair((await page.server.pairings.issueSent()) as string);
    const query = page.session.feed.rankings.queryIndustries(JANUARY, 3);
    page.listen(query);
    const before = await awaitAnswer(page.session.feed, query);
    await page.server.close();
    page.server = await startCompanion({ companies: 60, port: portOf(page.server) });
    const { failures } = await page.session.refresh();
    expect(failures).toMatchObject([{ code: "FEED_SIGNER_REFUSED" }]);
    expect(page.stateOf(query)).toMatchObject({ answer: { value: before } });
  });
});
