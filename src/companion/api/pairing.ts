import { randomUUID } from "node:crypto";
import { WRONG_CODE } from "../../contract/companion-api";
import { type Provider, toProviderName } from "../provider";
import type { Person } from "../reads/entitlements";
import { Refusal } from "../refusal";
import {
  CODE_LIFETIME_MS,
  createPairingRequests,
  makeCode,
  makeSecret,
  type PairingRequestStore,
  type PairingRequests,
  toCodeHash,
  toHash,
  toSentHash,
} from "./pairing-codes";

const TRIES = 5;
/** A person types it to end a pairing; with fewer digits two of some thousands would have the same, and end together. */
const ID_DIGITS = 12;

/** A page that may use the companion API. */
export interface Pairing {
  id: string;
  /** The origin of the page, such as "https://localhost:3000"; its bearer serves under no other. */
  origin: string;
  /** Whom the companion signed to when the page was paired: the base URL, or "sample"; it serves for no other. */
  provider: string;
  pairedAtMs: number;
  /** SHA-256 of the bearer, in hex. */
  hash: string;
  /** Who signed in; absent where a code of the terminal paired, and then it has every right and no end. */
  person?: Person;
  /** When that sign-in ends, in milliseconds since 1970. */
  endsAtMs?: number;
}

/** A code that waits for the page that it pairs. */
export interface PairingCode {
  /** SHA-256 of the code and of the page that it is for, in hex. */
  hash: string;
  expiresAtMs: number;
  triesLeft: number;
}

/** Where pairings are kept, and the code that waits. Nothing caps them: only whom the firm lets in makes them more. */
export interface PairingStore extends PairingRequestStore {
  /** Gives all pairings in the order of their making, ended ones perhaps among them. */
  list(): Promise<readonly Pairing[]>;
  /** Finds a pairing by its bearer's hash; it may have ended. */
  find(hash: string): Promise<Pairing | undefined>;
  /** Keeps a pairing, and lets go of those that have ended by the time it was made. */
  add(pairing: Pairing): Promise<void>;
  /** Ends one pairing, or all and the code with them; gives how many there were. */
  end(id?: string): Promise<number>;
  /** Keeps a code in place of any other. */
  storeCode(code: PairingCode): Promise<void>;
  /** Takes the code away and gives true where it is this one; else counts a try, before it is answered, so that none is free. */
  takeCode(hash: string, nowMs: number): Promise<boolean>;
}

export interface Pairings extends PairingRequests {
  /**
   * Makes a new code in place of any other: "ABCD-EFGH", good for five minutes, five tries and one pairing, of the page that
   * asks for it.
   * @param name What that page shows; default the only one that asks.
   * @throws Error as of `findRequest`.
   */
  issue(name?: string): Promise<IssuedCode>;
  /** Lists who is paired; for a provider's name, who is paired for that one. */
  list(provider?: string): Promise<readonly Pairing[]>;
  /** Ends one pairing, or all and the code with them; gives how many there were. */
  revoke(id?: string): Promise<number>;
  /** Gives the pairings of whom the companion signs to, asked anew each time: whoever was paired for another stays out. */
  of(provider: () => Provider): ProviderPairings;
}

/** A code, and the page that it is for. */
export interface IssuedCode {
  code: string;
  /** What that page shows. */
  name: string;
}

/** The pairings that serve for one provider. */
export interface ProviderPairings {
  /**
   * Exchanges a code for a bearer.
   * @param sent The code as a person typed it, whose case, spaces and dashes do not count; then a dot and the page's secret.
   * @throws Refusal (403)
   */
  pair(sent: string, origin: string): Promise<Paired>;
  /** Pairs a page for somebody who signed in, until that ends. */
  pairPerson(signedIn: Required<Pick<Pairing, "person" | "endsAtMs">>, origin: string): Promise<Paired>;
  /** Gives the pairing of a bearer, if that is one of this origin. */
  find(bearer: string, origin: string): Promise<Pairing | undefined>;
}

/** What a page gets that is paired now. */
export interface Paired {
  id: string;
  /** A secret: for that page alone. */
  bearer: string;
}

/** Creates the memory of who is paired. */
export function createPairings(store: PairingStore, nowMs: () => number): Pairings {
  const requests = createPairingRequests(store, nowMs);
  return {
    ...requests,
    async issue(pageName) {
      const { name, page } = await requests.findRequest(pageName);
      const code = makeCode();
      const hash = toCodeHash(code, page);
      await store.storeCode({ hash, expiresAtMs: nowMs() + CODE_LIFETIME_MS, triesLeft: TRIES });
      return { code, name };
    },
    async list(provider) {
      const pairings = (await store.list()).filter((pairing) => !hasEnded(pairing, nowMs()));
      return pairings.filter((pairing) => provider === undefined || pairing.provider === provider);
    },
    revoke: (id) => store.end(id),
    of: (provider) => createProviderPairings(store, nowMs, provider),
  };
}

function createProviderPairings(store: PairingStore, nowMs: () => number, provider: () => Provider): ProviderPairings {
  const add = async (page: Pick<Pairing, "origin" | "person" | "endsAtMs">): Promise<Paired> => {
    const bearer = makeSecret();
    const id = randomUUID().slice(-ID_DIGITS);
    await store.add({ id, ...page, provider: toProviderName(provider()), pairedAtMs: nowMs(), hash: toHash(bearer) });
    return { id, bearer };
  };
  return {
    async pair(sent, origin) {
      if (!(await store.takeCode(toSentHash(sent), nowMs()))) throw refuseCode();
      const [, secret = ""] = sent.split(".");
      await store.dropRequest(toHash(secret));
      return add({ origin });
    },
    pairPerson: ({ person, endsAtMs }, origin) => add({ origin, person, endsAtMs }),
    async find(bearer, origin) {
      const pairing = await store.find(toHash(bearer));
      if (pairing === undefined || hasEnded(pairing, nowMs())) return undefined;
      return pairing.origin === origin && pairing.provider === toProviderName(provider()) ? pairing : undefined;
    },
  };
}

const hasEnded = ({ endsAtMs = Infinity }: Pairing, nowMs: number): boolean => endsAtMs <= nowMs;

/**
 * Tells the log why pairings cannot be read or kept, and whoever asks how to see it: he may be a stranger still.
 * @throws Refusal (503)
 */
export async function explainStore<T>(
  log: { error(fields: object, message: string): void },
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    log.error({ err: error }, "Pairings cannot be read or kept.");
    throw new Refusal(
      503,
      "The companion cannot read or keep who is paired. To see why, run where it was started: npm run companion -- pair --list",
    );
  }
}

/** One sentence for every reason: which one it was is nobody's business who does not have the code. */
const refuseCode = () =>
  new Refusal(
    403,
    "That is not the pairing code for this page, or it has ended. For a new one, run: npm run companion -- pair",
    WRONG_CODE,
  );
