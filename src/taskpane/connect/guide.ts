import { useCallback, useEffect, useState } from "react";
import type { Configuration } from "../../client/configuration";
import { needsPairing } from "../../client/errors";
import type { Session } from "../../session/session";
import type { CompanionKey } from "../../session/set-up";
import type { Draft } from "./ProviderForm";

/** What somebody sets up: a provider at first, another spelling of what is in force, or another key for the same client. */
export type Purpose = "provider" | "change" | "secondKey";

/** What the stages of setting up work with. */
export interface Guide {
  keys: Keys;
  load: () => void;
  /** The keys that serve the purpose, the newest first. */
  usable: readonly CompanionKey[];
  chosen: CompanionKey | null;
  choose: (thumbprint: string) => void;
  /** Takes a key that has just been made. */
  add: (key: CompanionKey) => void;
  /** Takes why something was refused: a page may be paired no longer. */
  fail: (error: unknown) => void;
  /** Puts a draft in force. @throws SignerError, RequestError in the companion's words */
  save: (draft: Draft) => Promise<void>;
}

export function useGuide(session: Session, purpose: Purpose): Guide {
  const { keys, load, learn } = useKeys(session);
  const [wanted, choose] = useState<string | null>(null);
  const known = keys.status === "known" ? keys.keys : [];
  const usable = known.filter(({ use }) => purpose !== "secondKey" || use === "unused");
  const chosen = usable.find(({ thumbprint }) => thumbprint === wanted) ?? usable[0] ?? null;
  // Of a key that was made elsewhere nothing is known here, and the companion keeps to it.
  const signing = purpose === "change" ? known.find(({ use }) => use === "signing") : chosen;
  const fail = (error: unknown) => {
    const said = toKeys(error);
    if (said.status === "unpaired") learn(said);
  };
  return {
    keys,
    load,
    usable,
    chosen,
    choose,
    add(key) {
      learn({ status: "known", keys: [{ ...key, use: "unused" }, ...known] });
      choose(key.thumbprint);
    },
    fail,
    async save(draft) {
      try {
        await (await session.setUp()).change({ ...draft, ...(signing && { thumbprint: signing.thumbprint }) });
      } catch (error) {
        fail(error);
        throw error;
      }
    },
  };
}

/** What the form begins with. */
export function toDraft(purpose: Purpose, { baseUrl, clientId, keyId }: Configuration): Draft {
  if (purpose === "provider") return { baseUrl: "", clientId: "", keyId: "" };
  return { baseUrl, clientId, keyId: purpose === "change" ? keyId : "" };
}

/** The keys that were made in the companion, which only a paired page learns of. */
type Keys =
  | { status: "loading" | "unpaired" }
  | { status: "known"; keys: readonly CompanionKey[] }
  | { status: "failed"; error: unknown };

/** The companion's keys, asked for as soon as somebody looks; `learn` takes what another answer said of them. */
function useKeys(session: Session): { keys: Keys; load: () => void; learn: (keys: Keys) => void } {
  const [keys, learn] = useState<Keys>({ status: "loading" });
  const load = useCallback(() => {
    learn({ status: "loading" });
    void loadKeys(session).then(learn);
  }, [session]);
  useEffect(load, [load]);
  return { keys, load, learn };
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
const toKeys = (error: unknown): Keys => (needsPairing(error) ? { status: "unpaired" } : { status: "failed", error });
