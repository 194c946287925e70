import { hash, randomBytes, randomInt } from "node:crypto";
import { toCommand } from "../program";

/** Without 0, 1, I and O, which look alike; 32 characters make five bits each. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 8;
const NAME_LENGTH = 4;
const SECRET_BYTES = 32;

/** Lifetime of a pairing code. */
export const CODE_LIFETIME_MS = 5 * 60_000;

/** Creates a pairing code: "ABCD-EFGH". */
export function makeCode(): string {
  const code = draw(LENGTH);
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Creates a name that tells a page from others: "K7QD". */
const makeName = (): string => draw(NAME_LENGTH);

/** Creates a secret for one page: 256 random bits in base64url. */
export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const draw = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/**
 * Gives the hash that is stored of a code; it binds the code to one page.
 * @param page SHA-256 of that page's secret, in hex.
 */
export const toCodeHash = (code: string, page: string): string => toHash([toTyped(code), page].join(" "));

/** Gives that hash for a code as a page sends it: as typed, then a dot and the page's secret. */
export function toSentHash(sent: string): string {
  const [code = ""] = sent.split(".");
  return toCodeHash(code, toSentPage(sent));
}

/** Gives the page that sends a code: SHA-256 of its secret, in hex. */
export function toSentPage(sent: string): string {
  const [, secret = ""] = sent.split(".");
  return toHash(secret);
}

/** Normalises a typed code: case, blanks and dashes do not count. */
const toTyped = (written: string): string => written.toUpperCase().replace(/[\s-]/g, "");

/** SHA-256, in hex. */
export function toHash(text: string): string {
  return hash("sha256", text, "hex");
}

/** A pane may be open for a while before somebody enters a code. */
const LIFETIME_MS = 3_600_000;
const SHOWN = 5;

/** A page that requests a pairing, without its secret. */
export interface PairingRequest {
  /** The name that the page shows: "K7QD". */
  name: string;
  /** SHA-256 of the page's secret, in hex. */
  page: string;
  origin: string;
  expiresAtMs: number;
}

/** Stores the newest requests. */
export interface PairingRequestStore {
  /** Lists them in order; some may have ended. */
  listRequests(): Promise<readonly PairingRequest[]>;
  /** Stores a request, and removes those that have ended. */
  storeRequest(request: PairingRequest, nowMs: number): Promise<void>;
  /** Removes the request of a page that is paired. */
  dropRequest(page: string): Promise<void>;
}

/** A page's own request, with its secret. */
export type OwnRequest = Pick<PairingRequest, "name" | "page"> & { secret: string };

/** The requests of pages for a pairing code. */
export interface PairingRequests {
  /** Creates a page's request; a code for it serves no other page. */
  createRequest(origin: string): Promise<OwnRequest>;
  /**
   * Finds the request that a code is for.
   * @param name The name that the pane shows; default the only request.
   * @throws Error with a sentence where there is none, or several.
   */
  findRequest(name?: string): Promise<PairingRequest>;
}

/** Creates the requests over their store. */
export function createPairingRequests(store: PairingRequestStore, nowMs: () => number): PairingRequests {
  const list = async () => (await store.listRequests()).filter(({ expiresAtMs }) => expiresAtMs > nowMs());
  return {
    async createRequest(origin) {
      const names = (await list()).map(({ name }) => name);
      let name = makeName();
      while (names.includes(name)) name = makeName();
      const secret = makeSecret();
      const page = toHash(secret);
      await store.storeRequest({ name, page, origin, expiresAtMs: nowMs() + LIFETIME_MS }, nowMs());
      return { name, page, secret };
    },
    async findRequest(name) {
      const candidates =
        name === undefined ? await list() : (await list()).filter((each) => each.name === toTyped(name));
      const [request, ...others] = candidates;
      if (request === undefined) throw new Error(toNobody(name));
      if (others.length > 0) throw new Error(toSeveral(candidates));
      return request;
    },
  };
}

function toNobody(name: string | undefined): string {
  if (name === undefined) return "No FEED pane asks for a code. Open the pane: it shows the command for its own.";
  return `No FEED pane that asks for a code shows "${name}". Open the pane again: it shows the command for its own.`;
}

function toSeveral(requests: readonly PairingRequest[]): string {
  const names = requests.slice(-SHOWN).map(({ name, origin }) => `${name} (${origin})`);
  return `Several FEED panes ask for a code, the last of them ${names.join(", ")}. Name the one that yours shows: ${toCommand("pair NAME")}`;
}
