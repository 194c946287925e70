import { useCallback, useEffect, useState } from "react";
import type { Configuration } from "../../client/configuration";
import { needsPairing } from "../../client/errors";
import type { Session } from "../../session/session";
import type { CompanionKey } from "../../session/set-up";
import type { Draft } from "./ProviderForm";

/** The purpose of a set-up: a provider, changed settings, or a second key for the same client. */
export type Purpose = "provider" | "change" | "secondKey";

/** The state and actions of the set-up's stages. */
export interface Guide {
  keys: Keys;
  load: () => void;
  /** The keys that serve the purpose, the newest first. */
  usable: readonly CompanionKey[];
  chosen: CompanionKey | null;
  choose: (thumbprint: string) => void;
  /** Receives a new key. */
  add: (key: CompanionKey) => void;
  /** Receives an error; the page may no longer be paired. */
  fail: (error: unknown) => void;
  /** Applies a draft. @throws SignerError, RequestError in the companion's words */
  save: (draft: Draft) => Promise<void>;
}

export function useGuide(session: Session, purpose: Purpose): Guide {
  const { keys, load, learn } = useKeys(session);
  const [wanted, choose] = useState<string | null>(null);
  const known = keys.status === "known" ? keys.keys : [];
  const usable = known.filter(({ use }) => purpose !== "secondKey" || use === "unused");
  const chosen = usable.find(({ thumbprint }) => thumbprint === wanted) ?? usable[0] ?? null;
  // A key that was made elsewhere is not listed, and the companion goes on using it.
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

/** The form's first texts. */
export function toDraft(purpose: Purpose, { baseUrl, clientId, keyId }: Configuration): Draft {
  if (purpose === "provider") return { baseUrl: "", clientId: "", keyId: "" };
  return { baseUrl, clientId, keyId: purpose === "change" ? keyId : "" };
}

/** The companion's keys, which only a paired page can list. */
type Keys =
  | { status: "loading" | "unpaired" }
  | { status: "known"; keys: readonly CompanionKey[] }
  | { status: "failed"; error: unknown };

/** The companion's keys, loaded on mount; `learn` applies another answer. */
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

/** Reads an error of listing keys: the page needs pairing, or the request failed. */
const toKeys = (error: unknown): Keys => (needsPairing(error) ? { status: "unpaired" } : { status: "failed", error });
