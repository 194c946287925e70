import { PAGE_TYPES } from "../../contract/parameter-values";
import { createDraw, hash, PURPOSE } from "./random";
import { RANKED_COMPANIES } from "./universe";

// Taken once: in a test's own context each use of a global is a slow look-up, and these run millions of times.
const { exp, floor } = Math;

const HOUR_MS = 3_600_000;
const FIRST_HOUR = Date.UTC(2023, 0, 1) / HOUR_MS;

/** Hours that are modelled: the whole of 2023 and 2024, which then repeat, each time with more views. */
export const HOURS = Date.UTC(2025, 0, 1) / HOUR_MS - FIRST_HOUR;

/** Rankings are of Japan, whose clock is so far ahead of UTC: its week is whole there when Monday begins. */
const JAPAN_HOURS = 9;

/** A range of hours, counted from the first of 2023: `from` is inside, `to` is not. */
export interface HourRange {
  from: number;
  to: number;
}

/** Views of a page, of a company or of an industry within a range. */
export interface ViewCount {
  views: number;
  uniqueViews: number;
}

/** Page views of each ranked company and page type in any range of hours, in constant time for each. */
interface PageViews {
  countPage(company: number, pageType: number, range: HourRange): ViewCount;
  /** Across all page types. */
  countCompany(company: number, range: HourRange): ViewCount;
}

/**
 * The hours that begin within a range, cut to those that have page views: from 2023 to the one that is running.
 * @param startMs start of the range, read as UTC, inclusive
 * @param endMs end of the range, inclusive to its second
 * @param nowMs Unix milliseconds
 */
export function toHourRange(startMs: number, endMs: number, nowMs: number): HourRange {
  const from = Math.ceil(startMs / HOUR_MS) - FIRST_HOUR;
  const to = Math.floor(endMs / HOUR_MS) - FIRST_HOUR + 1;
  const begun = Math.max(Math.floor(nowMs / HOUR_MS) + JAPAN_HOURS - FIRST_HOUR + 1, 0);
  const inside = (hour: number) => Math.min(Math.max(hour, 0), begun);
  return { from: inside(from), to: Math.max(inside(from), inside(to)) };
}

type Hour = Record<"ofDay" | "month" | "day" | "nth", number> & { weekend: boolean };

/** How busy an hour is under each habit of reading: office hours, evenings and weekends, results season, growing. */
const HABITS: readonly ((hour: Hour) => number)[] = [
  ({ ofDay, weekend }) => (weekend ? 0.1 : 0.15 + Math.max(0, 1 - Math.abs(ofDay - 13) / 6)),
  ({ ofDay, weekend }) => (weekend ? 1 : 0.25) + (ofDay >= 19 || ofDay < 1 ? 1 : 0.1),
  ({ month, day, weekend }) => (month % 3 === 2 && day >= 5 && day <= 16 && !weekend ? 4 : 0.2),
  ({ nth, ofDay }) => (nth / HOURS) * (ofDay >= 8 && ofDay <= 20 ? 1.5 : 0.3),
];

/** For each habit the share of two years' reading that is done before each hour, scaled to HOURS in all. */
function createElapsed(): Float64Array[] {
  return HABITS.map((habit) => {
    const elapsed = new Float64Array(HOURS + 1);
    for (let nth = 0; nth < HOURS; nth += 1) {
      const time = new Date((FIRST_HOUR + nth) * HOUR_MS);
      const weekend = time.getUTCDay() % 6 === 0;
      const hour = { ofDay: time.getUTCHours(), weekend, month: time.getUTCMonth() + 1, day: time.getUTCDate(), nth };
      elapsed[nth + 1] = elapsed[nth]! + habit(hour);
    }
    const scale = HOURS / elapsed[HOURS]!;
    return elapsed.map((value) => value * scale);
  });
}

/** How much each page type is read, in the order of PAGE_TYPES. */
const PAGE_SHARES = [22, 7, 5, 12, 3, 8, 4, 3, 9, 5, 3, 1, 11, 4, 3, 4, 1, 2];

interface Reader {
  /** Weight of each habit; they sum to 1. */
  mix: readonly number[];
  /** Days of attention: hour and size. */
  spikes: readonly (readonly [number, number])[];
  /** What each repetition adds, as a share of the first two years. */
  growth: number;
}

function createReader(seed: number, company: number): Reader {
  const draw = createDraw(seed, PURPOSE.views, company);
  const weights = [draw.between(0.3, 1), draw.between(0, 0.6), draw.between(0, 0.5), draw.between(0, 0.5)];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const spikes = Array.from({ length: 3 }, () => [draw.integer(0, HOURS - 1), draw.between(20, 400)] as const);
  return { mix: weights.map((weight) => weight / sum), spikes, growth: draw.between(0.03, 0.5) };
}

const SPIKE_FADES_IN_HOURS = 18;

/** Views an hour of the company in this place, 0 being the most read: few companies are read much, most a little. */
const toHourlyViews = (place: number) => 90 / (1 + place) ** 0.75;

/** Average views an hour of every company and page type. */
function createRates(seed: number): Float64Array {
  const shareSum = PAGE_SHARES.reduce((total, share) => total + share, 0);
  const rates = new Float64Array(RANKED_COMPANIES * PAGE_TYPES.length);
  for (let company = 0; company < RANKED_COMPANIES; company += 1) {
    const hourly = toHourlyViews((company * 1_597 + (hash(seed, PURPOSE.views) % RANKED_COMPANIES)) % RANKED_COMPANIES);
    const draw = createDraw(seed, PURPOSE.views, company, 1);
    for (let page = 0; page < PAGE_TYPES.length; page += 1) {
      const unread = draw.chance(PAGE_SHARES[page]! <= 3 ? 0.2 : 0.02);
      const liking = draw.between(0.4, 1.6);
      rates[company * PAGE_TYPES.length + page] = unread ? 0 : (hourly * liking * PAGE_SHARES[page]!) / shareSum;
    }
  }
  return rates;
}

/**
 * Creates the page views of all ranked companies.
 * Views up to an hour are a whole number that never falls, so a range is one subtraction and adjacent ranges add up.
 */
export function createPageViews(seed: number): PageViews {
  const elapsed = createElapsed();
  const rates = createRates(seed);
  const readers = Array.from({ length: RANKED_COMPANIES }, (_, company) => createReader(seed, company));
  const pickActivityWithin = (company: number, hour: number) => {
    const { mix, spikes } = readers[company]!;
    let activity = 0;
    for (let habit = 0; habit < mix.length; habit += 1) activity += mix[habit]! * elapsed[habit]![hour]!;
    for (const [at, size] of spikes) if (hour > at) activity += size * (1 - exp((at - hour) / SPIKE_FADES_IN_HOURS));
    return activity;
  };
  const totalActivity = Float64Array.from(readers, (_, company) => pickActivityWithin(company, HOURS));
  const pickActivity = (company: number, hour: number) => {
    const cycles = floor(hour / HOURS);
    const { growth } = readers[company]!;
    const before = cycles * (1 + (growth * (cycles - 1)) / 2) * totalActivity[company]!;
    return before + (1 + growth * cycles) * pickActivityWithin(company, hour % HOURS);
  };
  const countBetween = (company: number, page: number, activityFrom: number, activityTo: number): ViewCount => {
    const place = company * PAGE_TYPES.length + page;
    const drawn = hash(seed, PURPOSE.views, place, 2);
    const before = floor(rates[place]! * activityFrom + (drawn & 0xffff) / 0x10000);
    const until = floor(rates[place]! * activityTo + (drawn & 0xffff) / 0x10000);
    const uniqueShare = 0.45 + 0.4 * ((drawn >>> 16) / 0x10000);
    return { views: until - before, uniqueViews: floor(until * uniqueShare) - floor(before * uniqueShare) };
  };
  return {
    countPage: (company, page, { from, to }) =>
      countBetween(company, page, pickActivity(company, from), pickActivity(company, to)),
    countCompany(company, { from, to }) {
      const activityFrom = pickActivity(company, from);
      const activityTo = pickActivity(company, to);
      const sum = { views: 0, uniqueViews: 0 };
      for (let page = 0; page < PAGE_TYPES.length; page += 1) {
        const { views, uniqueViews } = countBetween(company, page, activityFrom, activityTo);
        sum.views += views;
        sum.uniqueViews += uniqueViews;
      }
      return sum;
    },
  };
}
