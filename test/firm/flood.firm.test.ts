import { beforeAll, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../src/contract/constants";
import { openConnections, signInPlainly } from "./analyst";
import { toCompanyId } from "./figures";
import { setUpFirm } from "./set-up-firm";

const ANALYSTS = 20;
const EACH = 30;
const PER_MINUTE = 500;
/** A page's parallel requests, and the flooder's repetitions: more than a person's limit. */
const AT_ONCE = 25;
const FLOOD = 60;
const PARALLEL_REQUESTS = 6;
/** The metric of an instance that has answered a read. */
const ANSWERED = /^feed_read_seconds_count\{family="financials",status="2xx"\} [1-9]/m;

const settings = { FEED_PROVIDER_PER_MINUTE: "6000", FEED_PERSON_PER_MINUTE: String(PER_MINUTE) };
const used = setUpFirm({ companies: 5_000, settings, analysts: ANALYSTS });
beforeAll(() => used.firm.provider.order({ latencyMs: 20 }));

/** Requests new companies repeatedly, ignoring refusals; gives the answers by status. */
async function flood(): Promise<Map<number, Response[]>> {
  const { send, close } = openConnections(used.firm, ANALYSTS);
  const headers = await signInPlainly(used.firm, "flooder", send);
  const answers = new Map<number, Response[]>();
  let sent = 0;
  const url = `${used.firm.origin}/companion/relay${OPERATIONS.getFinancialsOfMany.path}`;
  const sendNext = async () => {
    while (sent < FLOOD) {
      const from = ANALYSTS * EACH + sent++ * AT_ONCE;
      const companyIds = Array.from({ length: AT_ONCE }, (_, place) => toCompanyId(from + place));
      const answer = await send(url, { method: "POST", headers, body: JSON.stringify({ companyIds }) });
      await answer.arrayBuffer();
      answers.set(answer.status, [...(answers.get(answer.status) ?? []), answer]);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, sendNext));
  await close();
  return answers;
}

it("a person who floods a firm of twenty others is limited alone, and gets a time to retry", async () => {
  const [answers, ...filled] = await Promise.all([
    flood(),
    ...used.analysts.map((analyst, place) => analyst.fill(Array.from({ length: EACH }, (_, at) => place * EACH + at))),
  ]);
  expect([...answers.keys()].sort()).toEqual([200, 429]);
  // Each instance counts by itself, and another one works only if a busy machine has silenced the first for two seconds.
  const atWork = (await used.firm.readMetrics()).filter((text = "") => ANSWERED.test(text)).length;
  expect(answers.get(200)!.length * AT_ONCE).toBeLessThanOrEqual(atWork * PER_MINUTE);
  for (const { headers: said } of answers.get(429)!) expect(Number(said.get("retry-after"))).toBeGreaterThan(0);
  for (const { failed, wrong } of filled) expect([failed, wrong]).toEqual([[], 0]);
});
