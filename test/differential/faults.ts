import { setTimeout } from "node:timers/promises";
import { OF_ANY_ANSWER, refuse } from "../soak/fault-schedule";
import type { Chance } from "../support/chance";
import type { Answering } from "../support/http-server";

type Spoil = (answer: Answering, chance: Chance) => Answering | Promise<Answering>;

/** Faults that cause no long waits. */
const FAULTS: readonly Spoil[] = [
  ...[500, 503, 502, 429].map((status) => () => refuse(status)),
  () => refuse(429, { "retry-after": "1" }),
  ...[OF_ANY_ANSWER.reset, OF_ANY_ANSWER.cutInBody, OF_ANY_ANSWER.drip, OF_ANY_ANSWER.html],
  async (answer, chance) => {
    await setTimeout(50 + chance.below(400));
    return answer;
  },
];

/** @param share The probability of a fault, 0 to 1. */
export const spoil = (answer: Answering, share: number, chance: Chance): Answering | Promise<Answering> =>
  chance.happens(share) ? chance.pick(FAULTS)(answer, chance) : answer;
