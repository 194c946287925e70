import { type CompanyResult, type Failed, isTrouble } from "../result";

/** How long a failure of both probes counts for everybody. */
const FAILURE_MS = 1000;
/** Two, since one reader's companies may break an answer where another's do not. */
const PROBES = 2;

type Results = ReadonlyMap<string, CompanyResult>;

/** By {@link createProbes}. */
export type Probes = ReturnType<typeof createProbes>;

/** Limits retries after a joint failure: two readers probe, the others wait for their result. */
export function createProbes(nowMs: () => number) {
  let round: Promise<Failed | undefined>[] = [];
  let underWay = 0;
  let endedMs = 0;
  const begin = () => {
    [round, underWay] = [[], 0];
  };
  return {
    /** Loads, or gives the failure of two probes instead. */
    async run(load: () => Promise<Results>): Promise<Results | Failed> {
      if (underWay === 0 && nowMs() - endedMs >= FAILURE_MS) begin();
      if (round.length === PROBES) return (await findFailure(round)) ?? load();
      const own = round;
      const loaded = load();
      const probe = loaded.then(findTrouble, () => undefined);
      own.push(probe);
      underWay += 1;
      const isWell = (await probe) === undefined;
      if (own !== round) return loaded;
      underWay -= 1;
      endedMs = nowMs();
      if (isWell) begin();
      return loaded;
    },
  };
}

/** Gives the failure of a round's probes; undefined as soon as one went well. */
async function findFailure(round: readonly Promise<Failed | undefined>[]): Promise<Failed | undefined> {
  const ended = (await Promise.race(round)) && (await Promise.all(round));
  return ended?.every((failed) => failed !== undefined) ? toEverybodys(ended.at(-1)!) : undefined;
}

/** Gives the failure of all companies, where it may be the provider's own. */
function findTrouble(results: Results): Failed | undefined {
  const all = [...results.values()];
  const [first] = all;
  return first?.is === "failed" && all.every((each) => each.is === "failed" && isTrouble(each)) ? first : undefined;
}

/** Removes the body: it may name one reader's companies. */
function toEverybodys(failed: Failed): Failed {
  const { said } = failed;
  const shareable = said instanceof Error ? said : { ...said, body: FAILS };
  return { ...failed, of: "everybody", said: shareable };
}

const FAILS = Buffer.from('{"error":{"message":"The provider fails for others as well: try again later."}}');
