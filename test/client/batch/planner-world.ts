import type { Elements, Group } from "../../../src/client/batch/planner";
import { type FeedCode, FeedError, RequestError } from "../../../src/client/errors";
import { toCompanyKey } from "../../../src/client/ids";
import type { Call } from "../../../src/client/provider";
import type { Financials } from "../../../src/feed/decode";
import { decodeAnswer } from "../../../src/feed/financials/batch";

/** A provider's treatment of a company: it has it, lacks it, rejects its id, or forbids it. */
export type Kind = "known" | "unknown" | "bad" | "barred";

/** A minimal provider: its companies, and how it answers POST /financials. */
export interface World {
  /** By the number in a company's id. */
  kinds: readonly Kind[];
  /** The most elements of an answer. */
  most: number;
  total: "true" | "own" | "absent" | "less" | "more";
  /** The elements: companies, years, or for every third company parts, which are never truncated. */
  element: "company" | "year" | "part";
  /** How it refuses several ids because of an invalid one. */
  refusal: "FEED_REQUEST_INVALID" | "FEED_NOT_FOUND";
  /** How many requests of ten fail. */
  failing: number;
  /** Sends each element twice. */
  repeats: boolean;
  /** Sends unrequested companies before the others. */
  hasStrangers: boolean;
  /** Writes ids in upper case. */
  shouts: boolean;
}

export const YEARS = [2021, 2022, 2023];

export const toId = (company: number): string => `c${company}`;

export type Answer = { body: unknown } | { error: FeedError };

/** Reads an answer as the pane does. */
export function read(year: number | null, ids: Group, answer: Answer): Elements<Financials> | FeedError {
  if ("error" in answer) return answer.error;
  try {
    return decodeAnswer(year, ids, answer.body);
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
}

/** Answers a call as a provider would. */
export function answerIn(world: World, { operation, path, body, query }: Call): Answer {
  if (operation === "getCompanyFinancials") return answerOne(world, path?.companyId as string, query?.year as number);
  const { companyIds, year } = body as { companyIds: string[]; year?: number };
  const kinds = companyIds.map((id) => kindOf(world, id));
  if (kinds.includes("bad")) return refuse(world.refusal);
  if (kinds.includes("barred")) return refuse("FEED_SCOPE_MISSING");
  const known = companyIds.filter((_, at) => kinds[at] === "known");
  return { body: toEnvelope(world, known, year) };
}

export const kindOf = ({ kinds }: World, id: string): Kind | undefined => kinds[Number(id.slice(1))];

export const refuse = (code: FeedCode): Answer => ({ error: new RequestError(code as "FEED_NOT_FOUND", "refused") });

function answerOne(world: World, id: string, year: number | undefined): Answer {
  const kind = kindOf(world, id);
  if (kind === "bad") return refuse(world.refusal);
  if (kind === "barred") return refuse("FEED_SCOPE_MISSING");
  return kind === "unknown" ? refuse("FEED_NOT_FOUND") : { body: createElement(world, id, toYears(year)) };
}

const toYears = (year: number | undefined) => (year === undefined ? YEARS : [year]);

/** A year carries its company, and whether it is only a part. */
const createElement = ({ shouts }: World, id: string, years: number[], part?: number) => ({
  companyId: shouts ? id.toUpperCase() : id,
  years: years.map((year) => ({ year, of: toCompanyKey(id), part })),
});

function toEnvelope(world: World, ids: readonly string[], year: number | undefined) {
  const strangers = world.hasStrangers ? [createElement(world, "x1", YEARS), createElement(world, "x2", [2022])] : [];
  const real = [...strangers, ...ids.flatMap((id) => toElements(world, id, year))];
  const sent = world.repeats ? real.flatMap((each) => [each, each]) : real;
  const data = world.element === "part" ? sent : sent.slice(0, world.most);
  const totals = { true: real.length, own: data.length, absent: undefined, less: 0, more: real.length + 2 };
  return { data, page: 1, pageSize: 25, total: totals[world.total] };
}

function toElements(world: World, id: string, year: number | undefined) {
  const years = toYears(year);
  if (world.element === "year") return years.map((each) => createElement(world, id, [each]));
  if (world.element === "part" && Number(id.slice(1)) % 3 === 0)
    return [1, 2].map((part) => createElement(world, id, years, part));
  return [createElement(world, id, years)];
}
