import { createHash, randomBytes, randomInt } from "node:crypto";

/** Without 0, 1, I and O, which people mistake for each other; 32 of them make five bits a character. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 8;
const NAME_LENGTH = 4;
const SECRET_BYTES = 32;

/** How long a code is good, whoever it is for. */
export const CODE_LIFETIME_MS = 5 * 60_000;

/** Makes the code of a pairing: "ABCD-EFGH". */
export function makeCode(): string {
  const code = draw(LENGTH);
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Makes a name by which a person tells one page from others: "K7QD". */
const makeName = (): string => draw(NAME_LENGTH);

/** Makes a secret for one page, in base64url: 256 random bits. */
export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const draw = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/**
 * Gives what is kept of a code, which serves for one page alone.
 * @param page SHA-256 of that page's secret, in hex.
 */
export const toCodeHash = (code: string, page: string): string => toHash([toTyped(code), page].join(" "));

/** Gives the same for a code as a page sends it: as a person typed it, then a dot and the page's secret. */
export function toSentHash(sent: string): string {
  const [code = "", secret = ""] = sent.split(".");
  return toCodeHash(code, toHash(secret));
}

/** Reads what a person typed: case, blanks and dashes do not count. */
const toTyped = (written: string): string => written.toUpperCase().replace(/[\s-]/g, "");

/** SHA-256, in hex. */
export function toHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A pane may stand open for a while before somebody sees to it. */
const LIFETIME_MS = 3_600_000;
const SHOWN = 5;

/** A page that asks to be paired, as all but itself know it. */
export interface PairingRequest {
  /** By which a person tells it from others, since the page shows it: "K7QD". */
  name: string;
  /** SHA-256 of the secret that the page alone has, in hex. */
  page: string;
  origin: string;
  expiresAtMs: number;
}

/** Where requests are kept, the newest of them. */
export interface PairingRequestStore {
  /** Gives them in the order of their making, ended ones perhaps among them. */
  listRequests(): Promise<readonly PairingRequest[]>;
  /** Keeps one, and lets go of those that have ended by now. */
  storeRequest(request: PairingRequest, nowMs: number): Promise<void>;
  /** Lets go of the one of a page that is paired. */
  dropRequest(page: string): Promise<void>;
}

/** A page's own request, with its secret. */
export type OwnRequest = Pick<PairingRequest, "name" | "page"> & { secret: string };

/** What panes ask of the terminal. */
export interface PairingRequests {
  /** Lets a page ask for a code: one that is made for it serves for nobody else. */
  createRequest(origin: string): Promise<OwnRequest>;
  /**
   * Finds whom a code is to be made for.
   * @param name What the pane shows; default the only one that asks.
   * @throws Error with a sentence where that is nobody, or one of several.
   */
  findRequest(name?: string): Promise<PairingRequest>;
}

/** Creates the memory of who asks to be paired. */
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
  return `Several FEED panes ask for a code, the last of them ${names.join(", ")}. Name the one that yours shows: npm run companion -- pair NAME`;
}
