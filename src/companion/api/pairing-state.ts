import { createFileStore, createMemoryStore, type Store } from "../store";
import {
  isMeant,
  makeSecret,
  type Pairing,
  type PairingCode,
  type PairingRequest,
  type PairingRequestStore,
  type PairingStore,
  type RevokedPairing,
  toHash,
} from "./pairing";

/** Newest requests to store; the rate limit allows 60 a minute. */
const MOST_REQUESTS = 1000;
/** Latest revoked pairings to store while nothing takes them: a companion may have no audit log. */
const MOST_REVOKED = 1000;

/** A pairing with the SHA-256 of its bearer, in hex. */
type StoredPairing = Pairing & { hash: string };

/**
 * All pairing state, in one value. A bearer cannot be derived from its hash. A code could be, but only by a reader who
 * can change this state as well.
 */
interface PairingState {
  code: PairingCode | null;
  pairings: readonly StoredPairing[];
  requests: readonly PairingRequest[];
  revoked: readonly RevokedPairing[];
}

const NOBODY: PairingState = { code: null, pairings: [], requests: [], revoked: [] };

/** Creates a store in this process's memory. */
export function createMemoryPairings(): PairingStore {
  return createPairingStore(createMemoryStore(NOBODY));
}

/** Creates a store in a file, which commands of the same person change as well. */
export function createFilePairings(path: string): PairingStore {
  return createPairingStore(createFileStore(path, NOBODY, isPairingState));
}

function createPairingStore(store: Store<PairingState>): PairingStore {
  return {
    list: async () => (await store.read()).pairings,
    async find(bearer) {
      const hash = toHash(bearer);
      return (await store.read()).pairings.find((pairing) => pairing.hash === hash);
    },
    add: (pairing) =>
      store.change((state) => {
        const standing = state.pairings.filter(({ endsAtMs = Infinity }) => endsAtMs > pairing.pairedAtMs);
        const bearer = makeSecret();
        const pairings = [...standing, { ...pairing, hash: toHash(bearer) }];
        return { value: { ...state, pairings }, result: bearer };
      }),
    end: (whose, atMs) =>
      store.change((state) => {
        const left = state.pairings.filter((pairing) => !isMeant(pairing, whose));
        const ended = state.pairings.filter((pairing) => !left.includes(pairing)).map((each) => toRevoked(each, atMs));
        const revoked = [...state.revoked, ...ended].slice(-MOST_REVOKED);
        const value = { ...state, code: whose === undefined ? null : state.code, pairings: left, revoked };
        return { value, result: ended.length };
      }),
    endOwn: ({ id }) =>
      store.change((state) => {
        const left = state.pairings.filter((pairing) => pairing.id !== id);
        return { value: { ...state, pairings: left }, result: undefined };
      }),
    async takeRevoked() {
      if ((await store.read()).revoked.length === 0) return [];
      return store.change((state) => ({ value: { ...state, revoked: [] }, result: state.revoked }));
    },
    storeCode: (code) => store.change((state) => ({ value: { ...state, code }, result: undefined })),
    takeCode: (hash, nowMs) => store.change((state) => tryCode(state, hash, nowMs)),
    ...storeRequests(store),
  };
}

/** Gives what is noted of a pairing that is ended. */
export function toRevoked({ id, person }: Pairing, atMs: number): RevokedPairing {
  return { id, ...(person === undefined ? {} : { person }), atMs };
}

function storeRequests(store: Store<PairingState>): PairingRequestStore {
  const change = (edit: (requests: readonly PairingRequest[]) => readonly PairingRequest[]) =>
    store.change((state) => ({ value: { ...state, requests: edit(state.requests) }, result: undefined }));
  return {
    listRequests: async () => (await store.read()).requests,
    storeRequest: (request, nowMs) =>
      change((requests) => {
        const standing = requests.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
        return [...standing, request].slice(-MOST_REQUESTS);
      }),
    dropRequest: (page) => change((requests) => requests.filter((request) => request.page !== page)),
  };
}

function tryCode(state: PairingState, hash: string, nowMs: number): { value: PairingState; result: boolean } {
  const { code } = state;
  if (code === null || code.expiresAtMs <= nowMs) return { value: state, result: false };
  if (code.hash === hash) return { value: { ...state, code: null }, result: true };
  const triesLeft = code.triesLeft - 1;
  return { value: { ...state, code: triesLeft > 0 ? { ...code, triesLeft } : null }, result: false };
}

/**
 * Whether a value is a valid state: a person may have edited the file.
 * @throws TypeError for most other shapes.
 */
function isPairingState({ code, pairings, requests, revoked }: PairingState): boolean {
  const areNoted = requests.every(isRequest) && revoked.every(isRevoked);
  return (code === null || isCode(code)) && pairings.every(isStored) && areNoted;
}

function isCode({ hash, expiresAtMs, triesLeft }: PairingCode): boolean {
  return typeof hash === "string" && Number.isFinite(expiresAtMs) && Number.isFinite(triesLeft);
}

/**
 * Whether a value is a pairing request.
 * @throws TypeError for null.
 */
export function isRequest({ name, page, origin, expiresAtMs }: PairingRequest): boolean {
  return Number.isFinite(expiresAtMs) && [name, page, origin].every((text) => typeof text === "string");
}

/**
 * Whether a value is a revoked pairing.
 * @throws TypeError for null.
 */
export function isRevoked({ id, atMs }: RevokedPairing): boolean {
  return typeof id === "string" && !Number.isNaN(new Date(atMs).getTime());
}

/**
 * Whether a value is a pairing.
 * @throws TypeError for null.
 */
export function isPairing({ id, origin, provider, pairedAtMs }: Pairing): boolean {
  const isTime = Number.isFinite(pairedAtMs) && !Number.isNaN(new Date(pairedAtMs).getTime());
  return isTime && [id, origin, provider].every((text) => typeof text === "string");
}

const isStored = (pairing: StoredPairing): boolean => isPairing(pairing) && typeof pairing.hash === "string";
