import { toCompanyId } from "../../firm/figures";
import { startFirm } from "../../firm/firm";
import { compare, describe, predict } from "../firm/findings";
import { addFailing, type Crowd, createPlan } from "../firm/plan";
import { type Simulated, simulate } from "../firm/simulate";
import type { Bench, Row } from "../row";

const SEED = 1;
/** A provider on another continent. */
const LATENCY_MS = 100;
/** About half of the popular draws go to a tenth of the companies. */
const MORNING: Crowd = { analysts: 300, each: 200, companies: 20_000, overMs: 60_000, popularity: 3.3 };
const SMALLER: Crowd = { ...MORNING, analysts: 100, overMs: 20_000 };
/** The same people arrive slowly: a request is full only if it waits for more companies. */
const SPREAD: Crowd = { ...MORNING, overMs: 150_000 };
const AGREED = { FEED_PROVIDER_PER_MINUTE: "1200" };
/** More than the default limit allows while a cell waits. */
const RUSH: Crowd = { ...MORNING, analysts: 100, overMs: 5_000 };
/** The firm's limit delays none of these; only others' failures could. */
const CALM: Crowd = { ...MORNING, analysts: 50, overMs: 50_000 };
const UNLIMITED = { FEED_PROVIDER_PER_MINUTE: "60000" };
/** A large firm at the start of a day. */
const LARGE_FIRM: Crowd = { ...MORNING, analysts: 5_000, overMs: 600_000 };

/** Each run starts with empty caches and runs once; there are no rounds. */
export const FIRM: Row = {
  name: "firm",
  title: "A firm behind one credential: three instances, Redis and nginx",
  isLong: true,
  async measure(bench) {
    const smaller = await measureCrowd(bench, SMALLER, AGREED);
    const whole = await measureCrowd(bench, MORNING, AGREED);
    const spread = await measureCrowd(bench, SPREAD, AGREED);
    const rush = await measureCrowd(bench, RUSH, {});
    const calm = await measureCrowd(bench, CALM, UNLIMITED);
    const failing = await measureCrowd(bench, CALM, UNLIMITED, true);
    return [
      ...describe("100 analysts in 20 s", smaller),
      ...describe("300 analysts in 60 s", whole),
      ...describe("300 analysts in 150 s", spread),
      ...describe("100 analysts in 5 s, half as many requests a minute", rush),
      ...compare(failing, calm),
      ...predict({ smaller, whole, crowd: MORNING, large: LARGE_FIRM }),
    ];
  },
};

/** @param isFaulty Whether some analysts request companies that always fail. */
async function measureCrowd(
  { print }: Bench,
  crowd: Crowd,
  settings: NodeJS.ProcessEnv,
  isFaulty = false,
): Promise<Simulated> {
  const plan = createPlan(crowd, SEED);
  const { visits, failing } = isFaulty ? addFailing(plan, crowd.companies) : { visits: plan, failing: [] };
  const firm = await startFirm({ companies: crowd.companies + failing.length, settings });
  try {
    await firm.provider.order({ latencyMs: LATENCY_MS, failFor: failing.map(toCompanyId) });
    print(
      `${crowd.analysts} analysts come over ${crowd.overMs / 1_000} s${isFaulty ? ", with failing companies" : ""}`,
    );
    return await simulate(firm, visits);
  } finally {
    await firm.close();
  }
}
