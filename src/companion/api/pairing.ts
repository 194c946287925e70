import { hash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { WRONG_CODE } from "../../contract/companion-api";
import { toCommand } from "../program";
import { type Provider, toProviderName } from "../provider";
import { Refusal } from "../refusal";

const TRIES = 5;
/** People type it to end a pairing; with fewer digits two of thousands could be equal. */
const ID_DIGITS = 12;

/** A person who signed in. */
export interface Person {
  /** Unique: the identity provider's issuer and subject. */
  id: string;
  /** The name for logs; default the id. */
  name?: string;
  roles: readonly string[];
}

/** A page that may use the companion API. */
export interface Pairing {
  id: string;
  /** The page's origin, such as "https://localhost:3000"; its bearer is valid for no other. */
  origin: string;
  /** The provider at the time of pairing: the base URL, or "sample". The pairing is valid for no other. */
  provider: string;
  pairedAtMs: number;
  /** The person who signed in. Absent for a terminal code, which gives every right and does not expire. */
  person?: Person;
  /** End of that sign-in, in milliseconds since 1970. */
  endsAtMs?: number;
}

/** A person who signed in, and the end of the sign-in. */
export type SignedIn = Required<Pick<Pairing, "person" | "endsAtMs">>;

/** Gives a caller's unique name: the person on any machine, or else the pairing. */
export function toWho({ id, person }: Pick<Pairing, "id" | "person">): string {
  return person === undefined ? `pairing ${id}` : `person ${person.id}`;
}

/** Whether a pairing is the one, or the person's, that a word names; without a word each is. */
export const isMeant = ({ id, person }: Pairing, word: string | undefined): boolean =>
  word === undefined || [id, person?.id, person?.name].includes(word);

/** A pairing that an administrator's command, or a new provider, has ended. */
export interface RevokedPairing {
  id: string;
  person?: Person;
  /** When, in milliseconds since 1970. */
  atMs: number;
}

/** A code that can pair one page. */
export interface PairingCode {
  /** SHA-256 of the code and its page, in hex. */
  hash: string;
  expiresAtMs: number;
  triesLeft: number;
}

/**
 * Stores pairings and the terminal's code. The number of pairings has no limit, since only people of the firm create
 * them.
 */
export interface PairingStore extends PairingRequestStore {
  /** Lists all pairings in order; some may have ended. */
  list(): Promise<readonly Pairing[]>;
  /** Finds a pairing by its bearer; its time may be over. */
  find(bearer: string): Promise<Pairing | undefined>;
  /** Stores a pairing, removes those whose time is over, and gives the bearer: a secret, for that page alone. */
  add(pairing: Pairing): Promise<string>;
  /**
   * Ends one pairing or a person's, or all and the code with them; gives how many there were.
   * @param whose As of `isMeant`.
   * @param atMs Noted with each of them, for `takeRevoked`.
   */
  end(whose: string | undefined, atMs: number): Promise<number>;
  /**
   * Ends one pairing here, and in all other instances within a second or as soon as the server answers again.
   * @throws Refusal (503) where this instance has never reached the server.
   */
  endOwn(pairing: Pairing): Promise<void>;
  /** Takes the pairings that `end` ended, in order: each is given to one instance, once. */
  takeRevoked(): Promise<readonly RevokedPairing[]>;
  /** Stores a code in place of any other. */
  storeCode(code: PairingCode): Promise<void>;
  /** Removes the code and gives true where it matches; otherwise counts the attempt first, so that none is free. */
  takeCode(hash: string, nowMs: number): Promise<boolean>;
}

export interface Pairings extends PairingRequests, Pick<PairingStore, "endOwn" | "takeRevoked"> {
  /**
   * Creates a code in place of any other: "ABCD-EFGH", good for five minutes, five tries and one pairing of one page.
   * @param name The name that the page shows; default the only request.
   * @throws Error as of `findRequest`.
   */
  issue(name?: string): Promise<IssuedCode>;
  /** Lists the pairings, of all providers or of one by name. */
  list(provider?: string): Promise<readonly Pairing[]>;
  /**
   * Ends pairings; gives how many there were.
   * @param whose A pairing's id, or a person's id or name; default all, and the code with them.
   */
  revoke(whose?: string): Promise<number>;
  /** Gives the pairings of the current provider; those of another one are not valid. */
  of(provider: () => Provider): ProviderPairings;
}

/** A code, and the name of its page. */
interface IssuedCode {
  code: string;
  /** The name that the page shows. */
  name: string;
}

/** The pairings that are valid for one provider. */
export interface ProviderPairings {
  /**
   * Exchanges a code for a bearer.
   * @param sent The code as a person typed it, whose case, spaces and dashes do not count; then a dot and the page's secret.
   * @throws Refusal (403)
   */
  pair(sent: string, origin: string): Promise<Paired>;
  /** Pairs a page for a person, until their sign-in ends. */
  pairPerson(signedIn: SignedIn, origin: string): Promise<Paired>;
  /** Finds the pairing of a bearer for this origin. */
  find(bearer: string, origin: string): Promise<Pairing | undefined>;
}

/** The result of pairing a page. */
export interface Paired {
  id: string;
  /** A secret: for that page alone. */
  bearer: string;
}

/** Creates the pairings over their store. */
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
    revoke: (whose) => store.end(whose, nowMs()),
    endOwn: store.endOwn,
    takeRevoked: store.takeRevoked,
    of: (provider) => createProviderPairings(store, nowMs, provider),
  };
}

function createProviderPairings(store: PairingStore, nowMs: () => number, provider: () => Provider): ProviderPairings {
  const add = async (page: Pick<Pairing, "origin" | "person" | "endsAtMs">): Promise<Paired> => {
    const id = randomUUID().slice(-ID_DIGITS);
    return { id, bearer: await store.add({ id, ...page, provider: toProviderName(provider()), pairedAtMs: nowMs() }) };
  };
  return {
    async pair(sent, origin) {
      if (!(await store.takeCode(toSentHash(sent), nowMs()))) throw refuseCode();
      await store.dropRequest(toSentPage(sent));
      return add({ origin });
    },
    pairPerson: ({ person, endsAtMs }, origin) => add({ origin, person, endsAtMs }),
    async find(bearer, origin) {
      const pairing = await store.find(bearer);
      if (pairing === undefined || hasEnded(pairing, nowMs())) return undefined;
      return pairing.origin === origin && pairing.provider === toProviderName(provider()) ? pairing : undefined;
    },
  };
}

const hasEnded = ({ endsAtMs = Infinity }: Pairing, nowMs: number): boolean => endsAtMs <= nowMs;

/**
 * Runs a store access; on a failure logs the reason and refuses, since the caller may be a stranger.
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
      `The companion cannot read or keep who is paired. To see why, run where it was started: ${toCommand("pair --list")}`,
    );
  }
}

/** One sentence for all reasons: callers without the code must not learn which applies. */
const refuseCode = () =>
  new Refusal(
    403,
    `That is not the pairing code for this page, or it has ended. For a new one, run: ${toCommand("pair")}`,
    WRONG_CODE,
  );

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
interface PairingRequests {
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
function createPairingRequests(store: PairingRequestStore, nowMs: () => number): PairingRequests {
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

/** The parts that show a pairing code. */
interface InvitationOptions {
  pairings: Pairings;
  provider: () => Provider;
  /** Shows the person a line where the companion was started. */
  notify: (line: string) => void;
  /** A service's output is stored as a log, which must hold no code. */
  isTerminal: boolean;
}

/**
 * Shows a code at the companion's terminal for the first page that requests one while no page is paired. For other
 * pages, `pair` makes a code by the name that the page shows.
 */
export function createInvitation({ pairings, provider, notify, isTerminal }: InvitationOptions) {
  let invited: string | undefined;
  return async ({ name }: Pick<OwnRequest, "name">): Promise<void> => {
    const current = toProviderName(provider());
    if (!isTerminal || invited === current || (await pairings.list(current)).length > 0) return;
    invited = current;
    notify(toCodeSentence(await pairings.issue(name)));
  };
}

/** Describes a code to the person at the terminal. */
export function toCodeSentence({ code, name }: IssuedCode): string {
  return `Pairing code: ${code}. Enter it within five minutes in the FEED pane that shows ${name}; it pairs that page alone, and five wrong tries end it.`;
}

/** Describes how the first page is paired. */
export function toInvitationSentence(isTerminal: boolean): string {
  return isTerminal
    ? "Open the FEED pane: a code for it is shown here."
    : "Open the FEED pane: it shows the command that makes a code for it.";
}
