import { describe, expect, it } from "@jest/globals";
import type { Program } from "../../firm/program";
import { type Bounds, judgeLives, judgeRate, judgeStore } from "./judgement";
import type { Life, Point } from "./samples";

const MB = 2 ** 20;
const BOUNDS: Bounds = { capBytes: 1024 * MB, storeBytes: 512 * MB, perMinute: 600, minutes: 60 };

/** A sample every five seconds; memory is let go in a sawtooth, as a collector does. */
function toPoints(minutes: number, read: (minute: number) => number): Point[] {
  return Array.from({ length: 12 * minutes + 1 }, (_, place) => {
    const tooth = (place % 7) * 0.02;
    return { atMs: 5_000 * place, value: read(place / 12) * (1 + tooth) };
  });
}

function createLife(
  minutes: number,
  figures: Partial<Record<keyof Life["figures"], (minute: number) => number>>,
): Life {
  const of = (figure: keyof Life["figures"], usual: number) => toPoints(minutes, figures[figure] ?? (() => usual));
  return {
    ...{ place: 0, program: {} as Program, peakBytes: 300 * MB },
    figures: {
      ...{ memory: of("memory", 200 * MB), used: of("used", 60 * MB) },
      ...{ cached: of("cached", 30 * MB), sockets: of("sockets", 60) },
    },
  };
}

const complain = (life: Life) => judgeLives([life], BOUNDS).complaints;

/** Fills up within the first quarter, then stays. */
const warmUp = (most: number) => (minute: number) => most * Math.min(1, 0.3 + minute / 15);

describe("the memory of an instance in an hour", () => {
  it("is flat where it has filled up in the first quarter", () => {
    expect(complain(createLife(60, { memory: warmUp(300 * MB), used: warmUp(80 * MB) }))).toEqual([]);
  });

  it.each([
    ["memory", 1.2 * MB],
    ["used", 0.8 * MB],
    ["sockets", 1.2],
  ] as const)("is not flat where its %s grows by %d a minute", (figure, perMinute) => {
    const usual = { memory: 200 * MB, used: 60 * MB, sockets: 60 }[figure];
    const complaints = complain(createLife(60, { [figure]: (minute: number) => usual + perMinute * minute }));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/^not flat: instance 1: .* in the second quarter, .* in the last, .* by regression$/);
  });

  it("may have a cache that still fills, which has a limit of its own", () => {
    expect(complain(createLife(60, { cached: (minute) => (10 + 4 * minute) * MB }))).toEqual([]);
  });

  it("is not flat where it grows in the last quarter alone", () => {
    const memory = (minute: number) => (200 + Math.max(0, minute - 45) * 10) * MB;
    expect(complain(createLife(60, { memory }))).toHaveLength(1);
  });

  it("is too much above the cap, however short the life", () => {
    const life = { ...createLife(2, {}), peakBytes: 1025 * MB };
    expect(complain(life)).toEqual(["instance 1 used more memory than its cap"]);
  });

  it("is not called growing while a short life fills its caches", () => {
    expect(complain(createLife(10, { memory: (minute) => (100 + 20 * minute) * MB }))).toEqual([]);
  });
});

describe("Redis in an hour", () => {
  const store = (bytes: number, others: number) => [{ atMs: 0, answers: 1_000, others, bytes }];

  it("may be full, with keys of its people", () => {
    expect(judgeStore(store(515 * MB, 700), BOUNDS, 100).complaints).toEqual([]);
  });

  it("must keep within its memory, and to keys of people", () => {
    expect(judgeStore(store(600 * MB, 700), BOUNDS, 100).complaints).toEqual([
      "Redis used more than its largest memory",
    ]);
    expect(judgeStore(store(515 * MB, 9_000), BOUNDS, 100).complaints).toEqual(["Redis had 9000 keys beside answers"]);
  });
});

describe("the requests to the provider in an hour", () => {
  const seen = { requests: 0, companies: 0, bySecond: {}, mostInSecond: 10, mostInMinute: 590, all: 33_000 };

  it("may come close to the agreed rate, and must not pass it", () => {
    expect(judgeRate(seen, BOUNDS).complaints).toEqual([]);
    expect(judgeRate({ ...seen, mostInMinute: 602 }, BOUNDS).complaints[0]).toMatch(/^more than agreed/);
  });

  it("say nothing of the limit where hardly anybody asked", () => {
    expect(judgeRate({ ...seen, all: 10_000 }, BOUNDS).complaints[0]).toMatch(/^the readers were not at the limit/);
  });
});
