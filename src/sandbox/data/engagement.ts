import { PAGE_TYPES } from "../../contract/constants";
import type { EngagementTime } from "../../contract/types";
import { hash, PURPOSE } from "./random";

const UNTRACKED_PAGE = PAGE_TYPES.indexOf("FUNCTIONALITY");

/** One company in this many has no engagement data at all. */
const UNTRACKED_EVERY = 25;

const toHundredths = (value: number) => Math.round(value * 100) / 100;

/** The minutes a visitor stays on a company's page of one type, or null when that is not tracked. */
export function createPageEngagement(seed: number, company: number, page: number): EngagementTime | null {
  const habit = hash(seed, PURPOSE.engagement, company);
  if (page === UNTRACKED_PAGE || habit % UNTRACKED_EVERY === 0) return null;
  const drawn = hash(seed, PURPOSE.engagement, company, page, 1);
  const avg = toHundredths(0.4 + (drawn % 500) / 100);
  return {
    avg,
    min: habit % 11 === 0 ? null : toHundredths(avg * 0.1),
    max: habit % 13 === 0 ? null : toHundredths(avg * (3 + (drawn % 7))),
  };
}

/** The engagement across pages, the average weighed by views; null when no viewed page has any. */
export function sumEngagement(
  pages: readonly { views: number; engagement: EngagementTime | null }[],
): EngagementTime | null {
  const tracked = pages.filter(({ views, engagement }) => views > 0 && engagement !== null);
  if (tracked.length === 0) return null;
  const views = tracked.reduce((sum, page) => sum + page.views, 0);
  const minutes = tracked.reduce((sum, page) => sum + page.views * page.engagement!.avg, 0);
  const lowest = tracked.map(({ engagement }) => engagement!.min).filter((value) => typeof value === "number");
  const highest = tracked.map(({ engagement }) => engagement!.max).filter((value) => typeof value === "number");
  return {
    avg: toHundredths(minutes / views),
    min: lowest.length > 0 ? Math.min(...lowest) : null,
    max: highest.length > 0 ? Math.max(...highest) : null,
  };
}
