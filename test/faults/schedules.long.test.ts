import { describe, it } from "@jest/globals";
import { checkSchedules } from "../soak/schedule";

const SEEDS = Array.from({ length: 10 }, (_, place) => place + 1);

describe("cells under any sequence of actions and faults", () => {
  it.each(SEEDS)("show nothing but the truth, all of it in the end: 50 schedules of seed %i", (seed) =>
    checkSchedules(seed, 50),
  );
});
