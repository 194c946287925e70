import { NoValueError } from "../../client/errors";
import { joined, msg } from "../../client/messages";
import type { NamedCompany } from "../resolutions";
import { describeCompany, toShort } from "./candidates";
import type { PrefixedName } from "./country-prefix";
import type { NameEngine } from "./engine";
import { foldName } from "./folding";
import { listNames, type NameRow, type NameSource, pickColumn } from "./rows";

const MOST_CLOSEST = 3;
/** Companies compared for each part of a name. */
const MOST_COMPARED = 50;
/** A shorter part of a name fits anything. */
const SHORTEST_SHARE = 0.35;
const SHORTEST_PART = 2;
/** Names that have less in common are no typing errors of one another. */
const LEAST_LIKENESS = 0.4;

/**
 * Makes the error of a name that no company has; it names the closest three.
 *
 * @param named the company as the person wrote it
 * @param isPartial whether the index lacks companies that this client may not read
 */
export async function toUnknownName(
  engine: NameEngine,
  key: string,
  { text, country }: PrefixedName,
  named: NamedCompany,
  isPartial: boolean,
): Promise<NoValueError> {
  const closest = await findClosest(engine, key, text);
  const where = country === "ALL" ? "" : msg` in ${country}`;
  const reason = isPartial ? msg` that this client may read` : "";
  let cure = msg`correct the name, or write its country before it, as in "SGP:${toShort(text)}"`;
  if (country === "ALL") cure = msg`correct the name`;
  if (closest.length > 0) cure = msg`closest: ${joined(closest.map(describeCompany), "; ")}; correct the name`;
  return new NoValueError(
    "FEED_NO_VALUE",
    msg`no company${where}${reason} is called "${toShort(named.name)}"; ${cure}`,
    { named },
  );
}

/**
 * Finds the three companies whose names are most like a text, among those that share a beginning or end with it.
 *
 * @param family the data family that must have a company; default any
 */
export async function findClosest(
  engine: NameEngine,
  key: string,
  text: string,
  family?: NameSource,
): Promise<readonly NameRow[]> {
  const folded = foldName(text);
  const compared = new Map<string, { row: NameRow; likeness: number }>();
  const shortest = Math.max(SHORTEST_PART, folded.length * SHORTEST_SHARE);
  for (let length = folded.length; length >= shortest && compared.size < MOST_CLOSEST; length = shorten(length)) {
    for (const part of new Set([folded.slice(0, length), folded.slice(-length)])) {
      const { rows } =
        family === undefined
          ? await engine.search(key, part, MOST_COMPARED)
          : await engine.searchFamily(key, part, MOST_COMPARED, family);
      for (const row of rows) compared.set(pickColumn(row, "companyId"), { row, likeness: toLikeness(row, folded) });
    }
  }
  const alike = [...compared.values()].filter(({ likeness }) => likeness >= LEAST_LIKENESS);
  return alike
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, MOST_CLOSEST)
    .map(({ row }) => row);
}

/** Long names are shortened in larger steps, so that a search over 300,000 names remains quick. */
const shorten = (length: number): number => Math.min(length - 1, Math.floor(length * 0.85));

/** The share of letter pairs that a company's most similar name has in common with a folded text: 0 to 1. */
function toLikeness(row: NameRow, folded: string): number {
  const pairs = listPairs(folded);
  const likeness = listNames(row).map((name) => {
    const own = new Set(listPairs(foldName(name)));
    return (2 * pairs.filter((pair) => own.has(pair)).length) / (pairs.length + own.size);
  });
  return Math.max(0, ...likeness);
}

const listPairs = (text: string): string[] => [
  ...new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))),
];
