import { setTimeout as wait } from "node:timers/promises";
import { request } from "undici";
import type { FeedError } from "../../../src/client/errors";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../../../src/contract/companion-api";
import { type Analyst, signIn } from "../../firm/analyst";
import type { Firm } from "../../firm/firm";
import { findWrongRow, toRange } from "../../firm/rankings";
import { type Chance, createChance } from "../../support/chance";
import { addCells, addFailure, type Tally } from "./tally";

interface Work {
  firm: Firm;
  tally: Tally;
  chance: Chance;
  isOver(): boolean;
  /** Gives companies that nobody has requested so far. */
  takeNew(count: number): number[];
  /** A place of the firm that no reader has. */
  takePlace(): number;
}

/** A way to read for the whole time; the firm is at its provider's limit with the first alone. */
const WAYS: readonly { readers: number; read: (work: Work) => Promise<void> }[] = [
  { readers: 40, read: openNewWorkbooks },
  { readers: 8, read: addSingleCompanies },
  { readers: 4, read: openSharedWorkbooks },
  { readers: 3, read: readLists },
  { readers: 4, read: comeAndGo },
];

/** The provider's largest number of companies; later ones repeat the first, which have left every cache by then. */
export const COMPANIES = 1_000_000;
/** The companies that many have in their workbooks. */
const SHARED = 1_000;

const SECOND_MS = 1_000;
/** After the longest fault, everything must have been shown within this time. */
const LONGEST_MS = 5 * 60_000;
const AGAIN_MS = 5 * SECOND_MS;

export function startReaders(firm: Firm, tally: Tally) {
  let isOver = false;
  let [nextCompany, nextPlace] = [SHARED, 0];
  const work: Work = {
    ...{ firm, tally, chance: createChance(1), isOver: () => isOver },
    takeNew: (count) => Array.from({ length: count }, () => nextCompany++ % COMPANIES),
    takePlace: () => nextPlace++,
  };
  const working = WAYS.flatMap(({ readers, read }) => Array.from({ length: readers }, () => read(work)));
  return {
    /** Ends every reader after what it reads now; resolves when all have left. */
    async end() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** Companies that nobody has, 50 in each new workbook. */
function openNewWorkbooks(work: Work): Promise<void> {
  return repeat(work, 0, async (reader) => {
    await reader.reopen();
    await fill(work, reader, work.takeNew(50), 1);
  });
}

function addSingleCompanies(work: Work): Promise<void> {
  return repeat(work, 2 * SECOND_MS, (reader) => fill(work, reader, work.takeNew(1)));
}

/** Three years of 100 companies in a row, which others have as well. */
function openSharedWorkbooks(work: Work): Promise<void> {
  return repeat(work, 2 * SECOND_MS, async (reader) => {
    await reader.reopen();
    const from = work.chance.below(SHARED - 100);
    const companies = Array.from({ length: 100 }, (_, place) => from + place);
    await fill(work, reader, companies, 3);
  });
}

/** Whole rankings of 4,000 companies, of the same few days as others; the days move on. */
function readLists(work: Work): Promise<void> {
  const startMs = performance.now();
  return repeat(work, 5 * SECOND_MS, async (reader) => {
    await reader.reopen();
    const day = Math.floor((performance.now() - startMs) / (15 * SECOND_MS)) + work.chance.below(8);
    await insist(work, `the ranking of day ${day}`, reader, async () => {
      const { rows } = await reader.list(({ rankings }) => rankings.queryCompanies(toRange(day), "all"));
      const wrong = findWrongRow(day, rows);
      if (wrong !== undefined) work.tally.complaints.push(`wrong ranking of day ${day}: ${wrong}`);
      work.tally.rows += rows.length;
    });
  });
}

/** People who sign in, read and leave; two of three end their pairing. */
async function comeAndGo(work: Work): Promise<void> {
  const place = work.takePlace();
  while (!work.isOver()) {
    const reader = await come(work, place);
    const shared = Array.from({ length: 10 }, () => work.chance.below(SHARED));
    await fill(work, reader, [...new Set([...shared, ...work.takeNew(5)])]);
    if (work.chance.below(3) > 0) await endPairing(work, reader, place);
    await reader.leave();
    await wait(SECOND_MS);
  }
}

/** Signs somebody in who reads until the end. */
async function repeat(work: Work, pauseMs: number, read: (reader: Analyst) => Promise<void>): Promise<void> {
  const reader = await come(work, work.takePlace());
  while (!work.isOver()) {
    await read(reader);
    await wait(pauseMs);
  }
  await reader.leave();
}

function come({ firm, tally }: Work, place: number): Promise<Analyst> {
  return again(tally, `the sign-in of reader ${place}`, async () => {
    const reader = await signIn(firm, await firm.issuer.issue(`reader-${place}`), place);
    tally.signIns += 1;
    return reader;
  });
}

const fill = (work: Work, reader: Analyst, companies: readonly number[], years?: number): Promise<void> =>
  insist(work, `companies from ${companies[0]}`, reader, async () => {
    if (!addCells(work.tally, `companies from ${companies[0]}`, await reader.fill(companies, years))) throw UNFILLED;
  });

/** Its codes have been counted. */
const UNFILLED = new Error("Some cells have failed.");

/** Reads again, as a workbook that is opened anew, until it succeeds. */
const insist = ({ tally }: Work, what: string, reader: Analyst, read: () => Promise<void>): Promise<void> =>
  again(tally, what, read, () => reader.reopen());

/** Tries until it succeeds; after too long that is a complaint, and it goes on. */
async function again<T>(
  tally: Tally,
  what: string,
  attempt: () => Promise<T>,
  prepare?: () => Promise<void>,
): Promise<T> {
  let lastMs = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error !== UNFILLED) addFailure(tally, (error as FeedError).code ?? String(error));
      if (performance.now() > lastMs) {
        tally.complaints.push(`${what} failed for ${LONGEST_MS / 60_000} minutes`);
        lastMs = performance.now() + LONGEST_MS;
      }
    }
    await wait(AGAIN_MS);
    await prepare?.();
  }
}

/** Ends a pairing: from then on every instance must refuse its bearer, a hanging one once it answers. */
async function endPairing({ firm, tally }: Work, reader: Analyst, place: number): Promise<void> {
  const bearer = await again(tally, "the end of a pairing", () => reader.endPairing());
  await again(tally, "the refusal of an ended pairing", async () => {
    const statuses = await Promise.all(
      firm.addresses.map(({ service }) => readStatus(firm.origin, service, bearer, place)),
    );
    if (statuses.some((status) => status !== 401)) throw new Error(`An ended pairing got ${statuses.join(", ")}.`);
  });
  tally.ended += 1;
}

/** The status of a request with a bearer to one instance, as a proxy hands it on from an address of its own. */
async function readStatus(origin: string, service: string, bearer: string, place: number): Promise<number> {
  const { statusCode, body } = await request(`${service}/companion/assertion`, {
    method: "POST",
    headers: {
      ...{ host: new URL(origin).host, "content-type": "application/json" },
      ...{ [CLIENT_HEADER]: CLIENT_NAME, [PAIRING_HEADER]: bearer, "x-forwarded-for": `127.2.0.${place}` },
    },
    body: "{}",
    headersTimeout: AGAIN_MS,
  });
  await body.dump();
  return statusCode;
}
