import { it } from "@jest/globals";
import fc from "fast-check";
import type { Bearer } from "../../../src/client/auth/token";
import { hold, toRuns, weigh } from "../../support/property";
import {
  type Answer,
  createTokenModel,
  type Exchange,
  type PendingCall,
  type Step,
  settle,
  type TokenModel,
} from "./token-model";

const PAUSE_MS = 10_000;

const isOpen = (exchange: Exchange) => exchange.isOpen;
const isAlive = ({ clock }: TokenModel, bearer: Bearer | null) => bearer !== null && clock.ms < bearer.renewAtMs;
const generationOf = ({ token }: Bearer) => Number(token.split(".")[0]);

/** Requests a token, perhaps to replace a refused one, and checks that the result is usable. */
function call(world: TokenModel, refused: Bearer | null): PendingCall {
  const { token, now, held, calls, bearers } = world;
  const made: PendingCall = { refused, before: held.current, generation: now.generation, outcome: null };
  calls.push(made);
  const take = (bearer: Bearer) => {
    made.outcome = bearer;
    if (!bearers.includes(bearer)) bearers.push(bearer);
    held.current = bearer;
    const isAnother = refused !== null && bearer !== made.before && made.generation === now.generation;
    if (isAnother) held.pausedUntilMs = world.clock.ms + PAUSE_MS;
  };
  (refused === null ? token.bearer() : token.renew(refused)).then(take, ({ code }) => {
    made.outcome = code;
  });
  return made;
}

/** Invariants after each step of earlier calls. */
function check({ clock, exchanges, now }: TokenModel, open: readonly PendingCall[]): void {
  const under = exchanges.filter(isOpen).map(({ generation }) => generation);
  hold(new Set(under).size === under.length, "one exchange at a time");
  hold(now.signed === exchanges.length, "a fresh assertion for each exchange");
  for (const { outcome, refused } of open) {
    hold(outcome !== null || under.length > 0, "who waits, waits for something");
    if (outcome === null || typeof outcome === "string") continue;
    hold(outcome !== refused, "another than the refused");
    hold(clock.ms < outcome.renewAtMs, "none that is to be renewed");
    hold(generationOf(outcome) === now.generation, "none of another client");
  }
}

const pick = <T>(among: readonly T[], which: number): T | undefined =>
  among.at(-1 - (which % Math.max(1, among.length)));

/** Requests a token: a held one is immediate, an exchange is joined, otherwise a new one starts. */
async function requestBearer(world: TokenModel, refused: Bearer | null): Promise<void> {
  const { exchanges, held, now, clock } = world;
  const count = exchanges.length;
  const isHeldRefused = refused !== null && refused === held.current;
  const isPaused = isHeldRefused && clock.ms < held.pausedUntilMs && held.accepted !== refused;
  if (isHeldRefused && !isPaused) held.current = null;
  const current = isAlive(world, held.current) ? held.current : null;
  const isUnderWay = exchanges.some((each) => each.isOpen && each.generation === now.generation);
  const made = call(world, refused);
  await settle();
  hold(made.outcome === (isPaused ? "FEED_UNAUTHORISED" : current), "a held token at once, none while it is paused");
  const isNew = !isPaused && current === null && !isUnderWay;
  hold(exchanges.length - count === (isNew ? 1 : 0), "an exchange where there is none and it is needed");
}

async function answer(world: TokenModel, exchange: Exchange | undefined, as: Answer): Promise<void> {
  if (exchange === undefined) return;
  const { exchanges, calls, now, held } = world;
  const waiting = calls.filter(({ outcome }) => outcome === null);
  const count = exchanges.length;
  const wasAlive = isAlive(world, held.current);
  exchange.answer(as);
  await settle();
  const begun = exchanges.slice(count);
  if (exchange.generation < now.generation) {
    hold(begun.length <= (wasAlive ? 0 : 1), "nothing more for what was forgotten");
    return;
  }
  const isGiven = waiting.some(({ outcome }) => typeof outcome === "object" && outcome !== null);
  const isOver = exchange.isSecond || as === "nothing" || isGiven;
  hold(begun.length === (isOver ? 0 : 1), "a second exchange after a refused one, and no third");
  // A call from before a reset may wait for an old exchange, which yields nothing.
  const left = waiting.filter(({ outcome, generation }) => outcome === null && generation === now.generation);
  hold(!isOver || left.length === 0, "all who wait for an exchange have what comes of it");
  for (const second of begun) second.isSecond = true;
}

async function take(world: TokenModel, step: Step): Promise<void> {
  const { token, exchanges, bearers, held, now, clock } = world;
  switch (step.do) {
    case "ask":
      return requestBearer(world, null);
    case "renew": {
      const refused = pick(bearers, step.which);
      return refused && requestBearer(world, refused);
    }
    case "accept": {
      const accepted = pick(bearers, step.which);
      if (accepted === undefined) return;
      token.accept(accepted);
      if (accepted === held.current) held.accepted = accepted;
      return;
    }
    case "forget":
      token.forget();
      now.generation++;
      Object.assign(held, { current: null, accepted: null, pausedUntilMs: 0 });
      return;
    case "wait":
      clock.ms += step.ms;
      return;
    case "answer":
      return answer(world, pick(exchanges.filter(isOpen), step.which), step.as);
  }
}

/** Newest first, so that the held token occurs more often than older ones. */
const which = fc.constantFrom(0, 0, 0, 1, 2, 3);
const lifetime = fc.constantFrom<unknown>(300, 300, "300", undefined, null, 60, 1, 0, -1, "soon", Number.NaN, 1e12, {});
const answered = fc.oneof(
  fc.constantFrom<Answer>("no", "nothing", "malformed"),
  lifetime.map((expires_in): Answer => ({ expires_in })),
  fc.constant<Answer>({ expires_in: 300 }),
  fc.constant<Answer>({ expires_in: 300 }),
);
const pauseMs = fc.constantFrom(1, 1, 1, 750, 9_999, 10_000, 30_000, 270_000, 3_600_000);
const to = <Kind extends Step["do"]>(kind: Kind) => fc.constant(kind);
const step: fc.Arbitrary<Step> = fc.oneof(
  weigh(4, { do: to("ask") }),
  weigh(5, { do: to("renew"), which }),
  weigh(2, { do: to("accept"), which }),
  weigh(1, { do: to("forget") }),
  weigh(4, { do: to("wait"), ms: pauseMs }),
  weigh(9, { do: to("answer"), which, as: answered }),
);

const ISSUED: Step = { do: "answer", which: 0, as: { expires_in: 300 } };
const RENEWAL: Step = { do: "renew", which: 0 };
/** A refused token, and its successor. */
const RENEWED: Step[] = [{ do: "ask" }, ISSUED, RENEWAL, ISSUED];
/** A renewal of a token that is forgotten before the new one comes. */
const FORGOTTEN: Step[] = [{ do: "forget" }, { do: "answer", which: 0, as: "no" }, ISSUED, RENEWAL];
const beginning = fc.constantFrom([], RENEWED, RENEWED.slice(0, 3));

it("a token, in any order of events, comes by one exchange at a time, never stale or another client's, and leaves no caller waiting", async () => {
  const law = fc.asyncProperty(beginning, fc.array(step, { maxLength: 30 }), async (begun, steps) => {
    const world = createTokenModel();
    for (const each of [...begun, ...steps]) {
      const count = world.calls.length;
      const open = world.calls.filter(({ outcome }) => outcome === null);
      await take(world, each);
      check(world, [...open, ...world.calls.slice(count)]);
    }
    for (let open = world.exchanges.find(isOpen); open !== undefined; open = world.exchanges.find(isOpen)) {
      await answer(world, open, { expires_in: 300 });
    }
    hold(
      world.calls.every(({ outcome }) => outcome !== null),
      "everyone has an answer in the end",
    );
  });
  await fc.assert(law, { seed: 11, numRuns: toRuns(1_500, 4_000), examples: [[RENEWED.slice(0, 3), FORGOTTEN]] });
});
