import { FeedError } from "../errors";
import type { LoadOptions, Provider } from "../provider";
import { advance, decodeCompany, type Group, type Lessons, type Outcomes, startPlan, toCall } from "./planner";

/** What answers taught so far, in a box: the chunks under way share it, and a new one is begun when all is forgotten. */
export interface Memory {
  lessons: Lessons;
}

/** How a group of companies is read. */
interface Chunk {
  provider: Provider;
  memory: Memory;
  /** A fiscal year, or null for all. */
  year: number | null;
  options: LoadOptions;
}

/**
 * Reads the financials of some companies and loses none: sends what the plan wants, all at once, until it wants no more.
 *
 * @param ids distinct company ids, 1 or more
 * @throws what `provider.load` throws, unless it is a {@link FeedError}: that is an outcome
 */
export async function loadChunk({ provider, memory, year, options }: Chunk, ids: Group): Promise<Outcomes> {
  let { plan, groups: first } = startPlan(memory.lessons, ids, year);
  const send = async (group: Group): Promise<void> => {
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
