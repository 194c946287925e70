import { type Chance, createChance } from "../../support/chance";
import type { RankedRow } from "./truth";

interface OddWeeks {
  /** Companies, not all of which are in each week. */
  companies: number;
  weeks: number;
  /** How often each oddity happens, 0 to 1. */
  share: number;
}

/**
 * Makes the rankings of weeks in which companies come and go, have equal views, names and tickers, are renamed, and
 * lose their ticker for a week.
 */
export function createOddWeeks(seed: number, { companies, weeks, share }: OddWeeks): RankedRow[][] {
  const chance = createChance(seed);
  const all = Array.from({ length: companies }, (_, at) => createCompany(chance, at, share));
  return Array.from({ length: weeks }, () => rank(chance, all, share));
}

const CITIES = ["Tokyo", "Osaka"];

function createCompany(chance: Chance, at: number, share: number) {
  const isNamesake = chance.happens(share);
  const number = isNamesake ? chance.below(at + 1) : at;
  const ticker = chance.happens(share) ? null : String(1_000 + (chance.happens(share / 4) ? chance.below(at + 1) : at));
  return { name: `Company ${number}`, ticker, headquarters: chance.pick(CITIES) };
}

function rank(chance: Chance, all: readonly ReturnType<typeof createCompany>[], share: number): RankedRow[] {
  const present = all.filter(() => !chance.happens(share));
  const rows = present.map(({ name, ticker, headquarters }): RankedRow => {
    const views = chance.below(all.length);
    return {
      companyName: chance.happens(share / 4) ? `${name} Renamed` : name,
      tickerSymbol: chance.happens(share / 4) ? null : ticker,
      headquarters,
      totalPageViews: chance.happens(share) ? 0 : views,
      totalUniquePageViews: Math.floor(views / 2),
    };
  });
  // A provider gives a company once: no two rows have both ticker and name.
  const once = new Map(
    rows.map((row, at) => [row.tickerSymbol === null ? at : `${row.tickerSymbol} ${row.companyName}`, row]),
  );
  return [...once.values()].sort((one, other) => other.totalPageViews - one.totalPageViews);
}
