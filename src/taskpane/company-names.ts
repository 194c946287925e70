import type { Session } from "../session/session";
import { readFound } from "./company-search";
import type { Texts } from "./texts";

/** Returns a function that names companies by their cached records, without a request. */
export function createNames({ feed }: Session, { language }: Texts): (companyId: string) => string | undefined {
  const names = new Map<string, string | undefined>();
  const find = (companyId: string) => {
    const states = [feed.companies.query(companyId), feed.taxonomies.query({ companyId })].map(feed.queryCache.peek);
    const rows = states.flatMap((state) => (state.status === "answered" ? [state.answer.value] : []));
    const found = readFound(Object.assign({}, ...rows, { companyId }), language);
    return found === null || found.name === companyId ? undefined : found.name;
  };
  return (companyId) => {
    if (!names.has(companyId)) names.set(companyId, find(companyId));
    return names.get(companyId);
  };
}
