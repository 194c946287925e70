import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError, RequestError } from "../../../src/client/errors";
import type { Row } from "../../../src/feed/decode";
import { createPageLimit, type List } from "../../../src/feed/pages";
import { hold, toRuns } from "../../support/property";
import { createProvider, idsOf, type PagingBehaviour, read, refuse, rowsOf, toTotal } from "../pages/odd-paging";

/** A change of a list while it is read: a row enters, vanishes or moves. */
interface Drift {
  /** Requests before it. */
  after: number;
  kind: "insert" | "delete" | "move";
  from: number;
  to: number;
}

interface Drawn {
  manner: PagingBehaviour;
  count: number;
  /** Positions of rows equal to the one before them. */
  repeated: number[];
  drift: Drift | undefined;
  failure: { at: number; as: "404" | "500" | "503" | "network" } | undefined;
  wanted: number | "all";
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const place = fc.nat({ max: 130 });

const drawn: fc.Arbitrary<Drawn> = fc.record({
  manner: fc.record({
    cap: optional(fc.integer({ min: 1, max: 60 })),
    ownSize: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 60 })),
    echo: fc.constantFrom(undefined, "asked", "none", "rows" as const),
    named: fc.constantFrom(undefined, undefined, "none", "first", "before" as const),
    refusedAbove: optional(fc.integer({ min: 25, max: 2_000 })),
    refusal: fc.constantFrom("400", "404", "500" as const),
    total: fc.constantFrom(undefined, undefined, "none", "served", -3, 3 as const),
    pastEnd: fc.constantFrom(undefined, "404", "400", "lastPage", "firstPage", "lastRows" as const),
    ignoresPage: fc.constantFrom(false, false, false, true),
  }) as fc.Arbitrary<PagingBehaviour>,
  count: place,
  repeated: fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([]) }, fc.array(place, { maxLength: 3 })),
  drift: optional(
    fc.record({
      after: fc.integer({ min: 1, max: 12 }),
      kind: fc.constantFrom("insert", "delete", "move" as const),
      from: place,
      to: place,
    }),
  ),
  failure: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    fc.record({
      at: fc.integer({ min: 1, max: 8 }),
      as: fc.constantFrom("404", "500", "503", "network" as const),
    }),
  ),
  wanted: fc.oneof(fc.constant("all" as const), fc.integer({ min: 1, max: 150 })),
});

/**
 * Faults no reader can detect: a full first page that claims to be everything, at a provider that hides its cap or
 * its paging; a row that leaves the wanted part; and, without a true total, a vanished row, a failure like an end, or
 * a repeated page.
 */
function isBeyondProof({ manner, count, repeated, drift, failure, wanted }: Drawn): boolean {
  const { cap, ownSize = cap, echo, total, ignoresPage } = manner;
  if (total !== undefined && (ignoresPage || repeated.length > 0)) return true;
  if (wanted !== "all" && drift?.kind === "move") return true;
  if (total !== undefined && drift !== undefined && ownSize === 1) return true;
  if (total !== undefined && (drift?.kind === "delete" || failure?.as === "404")) return true;
  const announced = total === undefined ? undefined : toTotal(total, count, Math.min(count, ownSize ?? 25));
  const isHidden = ownSize !== undefined && (echo === "asked" || echo === "none");
  return isHidden && typeof announced === "number" && announced <= ownSize;
}

function change(list: readonly Row[], { kind, from, to }: Drift): Row[] {
  const changed = [...list];
  const [row] = kind === "insert" ? [{ id: "new" }] : changed.splice(from % Math.max(1, list.length), 1);
  if (kind !== "delete" && row !== undefined) changed.splice(to % (changed.length + 1), 0, row);
  return changed;
}

const toFailure = (as: "404" | "500" | "503" | "network") =>
  as === "network" ? new RequestError("FEED_NETWORK_FAILED", "gone") : refuse(as);

const CODES = /^FEED_(RESPONSE_MALFORMED|REQUEST_INVALID|NOT_FOUND|SERVER_FAILED|NETWORK_FAILED)$/;

/** Whether nothing goes wrong, at a provider whose pages are odd only in ways that a reader understands. */
function isReadable({ manner, repeated, drift, failure }: Drawn): boolean {
  const { ignoresPage, named = "none", refusedAbove, refusal, total } = manner;
  if (drift !== undefined || failure !== undefined || repeated.length > 0 || total !== undefined) return false;
  return !ignoresPage && named === "none" && (refusedAbove === undefined || refusal === "400");
}

/** @returns whether there was a list */
async function readDrawn(given: Drawn, limit = createPageLimit()): Promise<boolean> {
  const { manner, count, repeated, drift, failure, wanted } = given;
  const before = rowsOf(count);
  for (const at of repeated) if (at > 0 && at < count) before[at] = before[at - 1] as Row;
  const after = drift === undefined ? before : change(before, drift);
  const provider = createProvider(before, {
    ...manner,
    listAt: (request) => (drift !== undefined && request > drift.after ? after : before),
    failAt: (request) => (request === failure?.at ? toFailure(failure.as) : undefined),
  });
  const advance = ({ rows, expected }: List) => hold(rows.length <= expected, "no more rows than are expected");
  const list = await read(provider, { wanted, limit, advance }).catch((error: unknown) => error as FeedError);
  hold(provider.requests.length < 3 * (count + 1) + 12, "three readings at most");
  if (list instanceof Error) {
    hold(list instanceof FeedError && CODES.test(list.code), `an error that says why: ${list}`);
    hold(!isReadable(given), `a list that can be read is read: ${list}`);
    return false;
  }
  const isListOf = (moment: readonly Row[]) =>
    JSON.stringify(idsOf(list)) ===
    JSON.stringify(moment.slice(0, wanted === "all" ? count + 1 : wanted).map(({ id }) => id));
  hold(isListOf(before) || isListOf(after), "the list of one moment, whole and in its order");
  return true;
}

it("a list of any provider, read under any changes is that of one moment, complete and in order, or an error; so is the next one", async () => {
  const runs = toRuns(500, 2_000);
  let lists = 0;
  const law = fc.asyncProperty(drawn, place, async (given, nextCount) => {
    fc.pre(!isBeyondProof(given));
    const limit = createPageLimit();
    lists += Number(await readDrawn(given, limit));
    const next = { ...given, count: nextCount, repeated: [], drift: undefined, failure: undefined };
    if (!isBeyondProof(next)) await readDrawn(next, limit);
  });
  await fc.assert(law, { seed: 5, numRuns: runs });
  expect(lists).toBeGreaterThan(runs / 2);
});
