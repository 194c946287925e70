import { createPorts, type Ports } from "../../src/client/ports";
import { PAIRING_HEADER, PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import type { Query, State } from "../../src/feed/query-cache";
import { createSession, type Session } from "../../src/session/session";
import type { Analyst } from "../companion/authorisation/firm";
import { createStorage } from "../support/storage";
import { until } from "../support/until";

/** Opens the pane session of a person signed in at a companion. */
export function openSession(
  origin: string,
  { headers }: Pick<Analyst, "headers">,
  ports: Partial<Ports> = {},
): Session {
  const storage = createStorage();
  storage().setItem(PAIRING_STORAGE_KEY, headers[PAIRING_HEADER]!);
  return createSession({ ports: { ...createPorts(), storage, ...ports }, companionUrl: origin });
}

/** Subscribes a cell to a query, and gives its current result. */
export async function enter<T>(session: Session, query: Query<T>): Promise<() => State<T>> {
  let shown: State<T> = { status: "pending" };
  session.feed.queryCache.observe(query, (state) => {
    shown = state;
  });
  await until(() => shown.status === "failed" || (shown.status === "answered" && shown.answer.isComplete));
  return () => shown;
}
