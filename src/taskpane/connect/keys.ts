import { useCallback, useEffect, useState } from "react";
import { needsPairing } from "../../client/errors";
import type { Session } from "../../session/session";
import type { CompanionKey } from "../../session/set-up";

/** The keys that were made in the companion, which only a paired page learns of. */
export type Keys =
  | { status: "asking" | "unpaired" }
  | { status: "known"; keys: readonly CompanionKey[] }
  | { status: "failed"; error: unknown };

/** The companion's keys, asked for as soon as somebody looks; `learn` takes what another answer said of them. */
export function useKeys(session: Session): { keys: Keys; ask: () => void; learn: (keys: Keys) => void } {
  const [keys, learn] = useState<Keys>({ status: "asking" });
  const ask = useCallback(() => {
    learn({ status: "asking" });
    void loadKeys(session).then(learn);
  }, [session]);
  useEffect(ask, [ask]);
  return { keys, ask, learn };
}

async function loadKeys(session: Session): Promise<Keys> {
  if (["none", "wanted"].includes(session.pairing())) return { status: "unpaired" };
  try {
    return { status: "known", keys: await (await session.setUp()).listKeys() };
  } catch (error) {
    return toKeys(error);
  }
}

/** What an error says of them: that the page is to be paired first, or why they are not known. */
export const toKeys = (error: unknown): Keys =>
  needsPairing(error) ? { status: "unpaired" } : { status: "failed", error };
