import { makeName, makeSecret, toHash, toTyped } from "./code";

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
  ask(origin: string): Promise<OwnRequest>;
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
    async ask(origin) {
      const names = (await list()).map(({ name }) => name);
      let name = makeName();
      while (names.includes(name)) name = makeName();
      const secret = makeSecret();
      const page = toHash(secret);
      await store.storeRequest({ name, page, origin, expiresAtMs: nowMs() + LIFETIME_MS }, nowMs());
      return { name, page, secret };
    },
    async findRequest(name) {
      const asked = name === undefined ? await list() : (await list()).filter((each) => each.name === toTyped(name));
      const [request, ...others] = asked;
      if (request === undefined) throw new Error(toNobody(name));
      if (others.length > 0) throw new Error(toSeveral(asked));
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
