import { useCallback, useEffect, useRef, useState } from "react";
import { askForPairing, type PairingRequest } from "../../session/pairing-request";
import type { Session } from "../../session/session";

/** This page's request to be paired, as soon as the companion has taken it. */
export interface OwnRequest {
  /** Null until it is there. */
  known: PairingRequest | null;
  /** Gives it, asked for once more where that failed. @throws as {@link askForPairing} */
  load(): Promise<PairingRequest>;
}

/** Asks to be paired while a code is wanted: once, since another request would want another code. */
export function usePairingRequest(session: Session): OwnRequest {
  const [known, setKnown] = useState<PairingRequest | null>(null);
  const asked = useRef<Promise<PairingRequest> | null>(null);
  const load = useCallback(() => {
    asked.current ??= askForPairing(session).catch((error) => {
      asked.current = null;
      throw error;
    });
    return asked.current.then((request) => {
      setKnown(request);
      return request;
    });
  }, [session]);
  useEffect(() => {
    load().catch(() => undefined); // what fails is told when a code is entered, which asks again
  }, [load]);
  return { known, load };
}
