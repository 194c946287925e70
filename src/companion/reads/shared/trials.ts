import { type ChunkOutcome, type Failed, isTrouble } from "./outcome";

/** How long it is believed that the provider fails for everybody. */
const BELIEVED_MS = 1000;
/** Where companies of one asker break the answer, those of another do not. */
const TRIALS = 2;

type Outcomes = ReadonlyMap<string, ChunkOutcome>;

/** What many ask again after they failed together: two try first, since it may be the provider that fails. */
export interface Trials {
  /** Asks, or gives in place of that with what two others have just failed. */
  run(load: () => Promise<Outcomes>): Promise<Outcomes | Failed>;
}

export function createTrials(nowMs: () => number): Trials {
  let round = createRound(nowMs);
  return {
    async run(load) {
      if (round.isOver()) round = createRound(nowMs);
      const own = round;
      if (!own.take()) return (await own.verdict) ?? load();
      let trouble: Failed | undefined;
      try {
        const outcomes = await load();
        trouble = findTrouble(outcomes);
        return outcomes;
      } finally {
        own.end(trouble);
      }
    },
  };
}

function createRound(nowMs: () => number) {
  let settle: (failed: Failed | undefined) => void = () => {};
  const verdict = new Promise<Failed | undefined>((resolve) => {
    settle = resolve;
  });
  let free = TRIALS;
  let underWay = 0;
  let failures = 0;
  let isWell = false;
  let endedMs = Number.POSITIVE_INFINITY;
  return {
    verdict,
    isOver: () => isWell || (underWay === 0 && nowMs() - endedMs >= BELIEVED_MS),
    take() {
      if (free === 0) return false;
      free -= 1;
      underWay += 1;
      return true;
    },
    end(failed: Failed | undefined) {
      underWay -= 1;
      endedMs = nowMs();
      if (failed === undefined) isWell = true;
      else failures += 1;
      if (isWell || failures === TRIALS) settle(isWell ? undefined : toEverybodys(failed!));
    },
  };
}

/** Gives with what all failed, where that may be the provider's own failure. */
function findTrouble(outcomes: Outcomes): Failed | undefined {
  const all = [...outcomes.values()];
  const [first] = all;
  return first?.is === "failed" && all.every((each) => each.is === "failed" && isTrouble(each)) ? first : undefined;
}

/** What was said of one asker's companies is not told to others. */
function toEverybodys(failed: Failed): Failed {
  const { said } = failed;
  const told = said instanceof Error ? said : { ...said, body: FAILS };
  return { ...failed, of: "everybody", said: told };
}

const FAILS = Buffer.from('{"error":{"message":"The provider fails for others as well: try again later."}}');
