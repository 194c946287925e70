import { PAIRING_STORAGE_KEY } from "../../contract/companion-api";
import type { Ports } from "../ports";
import { createStoredText } from "../stored-text";

/** The bearer of a pairing, shared by all windows of the origin. */
export interface PairingStore {
  /** Sent to the companion alone; null where there is none. */
  read(): string | null;
  write(bearer: string): void;
  remove(): void;
  /** Whether the browser's storage is unavailable, so that the bearer ends with the page. */
  isOfPage(): boolean;
}

/** Base64url, as the companion makes it: any other text must not become a header. */
const BEARER = /^[\w-]+$/;

export const isBearer = (value: unknown): value is string => typeof value === "string" && BEARER.test(value);

/** Stores the bearer in the origin's storage, or in this page where that is blocked or full. */
export function createPairingStore({ storage }: Pick<Ports, "storage">): PairingStore {
  const stored = createStoredText(storage, PAIRING_STORAGE_KEY);
  let ofPage: string | null = null;
  return {
    isOfPage: () => ofPage !== null,
    read() {
      const found = ofPage ?? stored.read();
      return isBearer(found) ? found : null;
    },
    write(bearer) {
      ofPage = stored.write(bearer) ? null : bearer;
    },
    remove() {
      ofPage = null;
      stored.remove();
    },
  };
}
