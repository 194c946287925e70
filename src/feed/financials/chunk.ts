import { FeedError } from "../../client/errors";
import type { LoadOptions, Provider } from "../../client/provider";
import { advance, decodeCompany, type Group, type Lessons, type Outcomes, startPlan, toCall } from "./planner";

/** What answers taught so far, in a box: the chunks under way share it, and a new one is begun when all is forgotten. */
export interface Memory {
  lessons: Lessons;
  /** Whether all answers for several companies said when their years begin and end (§2.3); absent before the first. */
  hasBounds?: boolean;
}

/** How a group of companies is read. */
interface Chunk {
  provider: Provider;
  memory: Memory;
  /** A fiscal year, or null for all. */
  year: number | null;
  options: LoadOptions;
  /** Is told of each company that is asked for by itself; default nobody. */
  askedAlone?: (companyId: string) => void;
}

/**
 * Reads the financials of some companies and loses none: sends what the plan wants, all at once, until it wants no more.
 *
 * @param ids distinct company ids, 1 or more
 * @throws what `provider.load` throws, unless it is a {@link FeedError}: that is an outcome
 */
export async function loadChunk(chunk: Chunk, ids: Group): Promise<Outcomes> {
  const { provider, memory, year, options, askedAlone } = chunk;
  let { plan, groups: first } = startPlan(memory.lessons, ids, year);
  const send = async (group: Group): Promise<void> => {
    if (group.length === 1) askedAlone?.(group[0] as string);
    const heard = await provider.load(toCall(year, group), options).catch(toFailure);
    const step = advance(memory.lessons, plan, { ids: group, ...heard });
    ({ plan, lessons: memory.lessons } = step);
    await Promise.all(step.groups.map(send));
  };
  await Promise.all(first.map(send));
  return plan.outcomes;
}

function toFailure(error: unknown) {
  if (error instanceof FeedError) return { error };
  throw error;
}

/**
 * Reads the financials of one company (§4.2), which come whole: the answer is no list.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company; what `provider.load` throws
 */
export async function loadCompany(provider: Provider, companyId: string, year: number | null, options: LoadOptions) {
  const { body } = await provider.load(toCall(year, [companyId]), options);
  return decodeCompany(companyId, body);
}
