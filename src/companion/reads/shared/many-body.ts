import { toCompanyKey } from "../../../client/batch/planner";
import { OPERATIONS } from "../../../contract/constants";
import { Refusal } from "../../refusal";
import { readJsonObject } from "../json-object";
import type { Year } from "./split";

/** Only what is surely an id may be asked for beside others' ids: a provider refuses all for one that is not. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Several times what the pane asks for; an answer for so many is joined in memory. */
const MOST_AT_ONCE = 250;

/** A POST /financials that can be taken apart (§4.2). */
export interface Many {
  year: Year;
  /** Distinct company ids in lower case, in the order they were asked for. */
  ids: readonly string[];
}

/** Reads a body; gives nothing where it asks for anything but companies by their ids, of one year or all. */
export function readMany(body: Buffer | undefined): Many | undefined {
  const { companyIds, year, ...others } = readJsonObject(body);
  if (!Array.isArray(companyIds) || companyIds.length === 0 || Object.keys(others).length > 0) return undefined;
  if (!companyIds.every((id) => typeof id === "string" && UUID.test(id))) return undefined;
  if (year !== undefined && !Number.isSafeInteger(year)) return undefined;
  return { year: year === undefined ? "all" : (year as number), ids: [...new Set(companyIds.map(toCompanyKey))] };
}

/** How many companies a body asks for, as far as it says. */
export function countAsked(body: Buffer | undefined): number {
  const lists = Object.values(readJsonObject(body)).filter(Array.isArray);
  return Math.max(1, ...lists.map(({ length }) => length));
}

/** @throws Refusal (400) of a body that asks for more than 250 companies. */
export function checkCount(body: Buffer | undefined): void {
  if (countAsked(body) <= MOST_AT_ONCE) return;
  const sentence = `Ask for up to ${MOST_AT_ONCE} companies at once, and for the others after that.`;
  throw new Refusal(400, sentence, "FEED_REQUEST_INVALID");
}

/** The path of a company's own read, which says no less than its element does (§2.3). */
export function toOwnPath(year: Year, id: string): string {
  const path = OPERATIONS.getCompanyFinancials.path.replace("{companyId}", id);
  return year === "all" ? path : `${path}?year=${year}`;
}
