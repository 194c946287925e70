import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import type { PageFacts } from "./engine";
import { toNotReady } from "./not-ready";
import { NAME_SOURCES, type NameSource } from "./rows";

/** How far a build is. */
export interface BuildProgress {
  /** Names that have come, of both families. */
  rows: number;
  expected: number;
  /** Requests that this index has taken so far. */
  requests: number;
  /** Requests it will take in all, about; null while the first pages do not tell. */
  expectedRequests: number | null;
}

export interface GateOptions {
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** More requests than that are not sent. */
  mostRequests: number;
  notify: (progress: BuildProgress) => void;
}

/** Counts what a build sends and reads, and lets it past the first pages only where all of it is allowed. */
export interface Gate {
  /** Resolves when second pages may be asked for; rejects with why not. */
  passed: Promise<void>;
  /** Takes note of a request about to be sent. @throws NoValueError (FEED_INDEX_NOT_READY) when it is one too many */
  ask(): void;
  /** Takes note of a family's page that came, or was kept from before. */
  count(family: NameSource, page: PageFacts, isPersisted: boolean): void;
  /** Takes note of a family that the client may not read. */
  leaveOut(family: NameSource): void;
  /** Whether a page of the family has come. */
  isBegun(family: NameSource): boolean;
  /** Lets nothing pass any more. */
  fail(error: unknown): void;
  /** What it failed with first. */
  reason(): unknown;
}

/** What is known of a family's list: `needed` are its requests in all, by its first page. */
interface Reading {
  rows: number;
  expected: number;
  needed: number;
}

/** What a build has sent and read; a family that is left out is null. */
interface Account {
  families: Map<NameSource, Reading | null>;
  sent: number;
  persisted: number;
}

/** Makes the gate of one build. */
export function createGate({ country, mostRequests, notify }: GateOptions): Gate {
  const account: Account = { families: new Map(), sent: 0, persisted: 0 };
  const { families } = account;
  const { promise: passed, resolve: open, reject: refuse } = createPromise();
  let reason: unknown;
  const fail = (error: unknown) => {
    reason ??= error;
    refuse(reason);
  };
  const note = (family: NameSource, reading: Reading | null) => {
    families.set(family, reading);
    const needed = countRequests(account);
    const progress = toProgress(account, needed);
    notify(progress);
    if (needed === null) return;
    if (needed <= mostRequests) open();
    else fail(toNotReady(country, progress.expectedRequests));
  };
  return {
    passed,
    ask() {
      if (account.sent >= mostRequests) throw toNotReady(country, null);
      account.sent++;
    },
    count(family, page, isPersisted) {
      if (isPersisted) account.persisted++;
      note(family, toReading(page.number === 1 ? null : families.get(family), page));
    },
    leaveOut: (family) => note(family, null),
    isBegun: (family) => families.has(family),
    fail,
    reason: () => reason,
  };
}

function createPromise() {
  let resolve = () => {};
  let reject = (_: unknown) => {};
  const promise = new Promise<void>((whenSo, otherwise) => {
    resolve = whenSo;
    reject = otherwise;
  });
  promise.catch(() => {}); // a list of one page never asks
  return { promise, resolve, reject };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Requests that the build takes in all, infinitely many where a list does not tell; null until each family has begun. */
function countRequests({ families, sent, persisted }: Account): number | null {
  if (families.size < NAME_SOURCES.length) return null;
  const needed = [...families.values()].map((reading) => reading?.needed ?? 1); // a refusal took a request as well
  return Math.max(sum(needed), sent + persisted);
}

function toProgress({ families, sent, persisted }: Account, needed: number | null): BuildProgress {
  const read = [...families.values()].filter((reading) => reading !== null);
  return {
    rows: sum(read.map(({ rows }) => rows)),
    expected: sum(read.map(({ expected }) => expected)),
    requests: sent + persisted,
    expectedRequests: needed === Number.POSITIVE_INFINITY ? null : needed,
  };
}

/** What is known of a list after one more page of it. */
function toReading(before: Reading | null | undefined, page: PageFacts): Reading {
  const rows = (before?.rows ?? 0) + page.ids.length;
  return { rows, expected: Math.max(page.total ?? 0, rows), needed: before?.needed ?? countNeeded(page) };
}

/** Requests that a list takes by its first page; a page that is full without a total tells nothing. */
function countNeeded({ ids, asked, pageSize, total }: PageFacts): number {
  const isFull = ids.length > 0 && ids.length >= (pageSize ?? asked ?? DEFAULT_PAGE_SIZE);
  if (total === null || total < ids.length) return isFull ? Number.POSITIVE_INFINITY : 1;
  if (total === ids.length) return ids.length > 0 && ids.length % DEFAULT_PAGE_SIZE === 0 ? 2 : 1;
  // The last page is followed by one more request where it may be full.
  return Math.ceil(total / Math.max(1, ids.length)) + (total % Math.max(1, ids.length) === 0 ? 1 : 0);
}
