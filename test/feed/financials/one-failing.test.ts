import { afterEach, describe, expect, it } from "@jest/globals";
import { drain } from "../../support/clock";
import { awaitAnswer, type FeedOnServer, settle, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

const IDS = Array.from({ length: 25 }, (_, at) => `company-${at}`);
const BROKEN = "company-7";
const FAMILY = "/asia/private-markets/v1/financials";

/** A provider that fails for one company's statements, alone and in batches. */
function answer({ path, body }: Received): Answering | undefined {
  if (!path.startsWith(FAMILY)) return undefined;
  const { companyIds = [path.split("/").at(-1)] } = Object(body) as { companyIds?: unknown[] };
  if (companyIds.includes(BROKEN)) return { status: 500, json: {} };
  const data = companyIds.map((companyId) => ({ companyId, years: [{ year: 2023 }, { year: 2022 }] }));
  return { json: path === FAMILY ? { data, page: 1, pageSize: 25, total: data.length } : data[0] };
}

let running: FeedOnServer;
afterEach(() => running.close());

describe("a company that always fails with 500", () => {
  it("does not fail the others in its batch", async () => {
    running = await startFeedOn(answer);
    let isOver = false;
    const answers = IDS.map((companyId) => awaitAnswer(running.feed, running.feed.financials.query({ companyId })));
    const shown = settle<unknown>(answers.map((each) => each.then(({ companyId }) => companyId))).finally(() => {
      isOver = true;
    });
    for (let step = 0; step < 120 && !isOver; step++) {
      await running.clock.advance(500);
      await drain();
    }
    expect(await shown).toEqual(IDS.map((id) => (id === BROKEN ? "FEED_SERVER_FAILED" : id)));
  });
});
