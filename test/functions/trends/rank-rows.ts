import type { Row } from "../../../src/feed/decode";
import { COMPANY_KIND, createRankedList, type RankedList } from "../../../src/feed/rankings/ranked-list";

/** Ranks companies at once. @param isWhole whether the rows are the whole ranking */
export function rankRows(rows: readonly Row[], isWhole: boolean): RankedList {
  const steps = createRankedList(rows, COMPANY_KIND, isWhole);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
