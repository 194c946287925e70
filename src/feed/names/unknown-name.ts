import { NoValueError } from "../../client/errors";
import { joined, type Message, msg } from "../../client/messages";
import { ASIAN_COUNTRIES } from "../../contract/asian-countries";
import { describeBy, findReadyText, listCodeTexts, listNameTexts, toShort, type Writing } from "./candidates";
import type { NameEngine } from "./engine";
import { foldName } from "./folding";
import { foldBare } from "./form-kinds";
import type { NameIndexes } from "./indexes";
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
 * @param isPartial whether the index lacks companies that this client may not read
 */
export async function toUnknownName(
  writing: Writing,
  indexes: Pick<NameIndexes, "state" | "find">,
  isPartial: boolean,
): Promise<NoValueError> {
  const { engine, key, written } = writing;
  const closest = await findClosest(engine, key, written.text);
  const texts = await Promise.all(closest.map((row) => findNameText(writing, row)));
  const described = closest.map((row, place) => describeBy(texts[place] as string, writing, row));
  const where = written.country === "ALL" ? "" : msg` in ${written.country}`;
  const reason = isPartial ? msg` that this client may read` : "";
  const bare = foldBare(written.text);
  const named = described.filter((_, place) =>
    listNames(closest[place] as NameRow).some((own) => foldBare(own) === bare),
  );
  const cure = described.length > 0 ? toClosest(described, named) : await toCure(writing, indexes);
  const [first] = texts;
  return new NoValueError(
    "FEED_NO_VALUE",
    msg`no company${where}${reason} is called "${toShort(writing.named.name)}"; ${cure}`,
    {
      named: writing.named,
      ...(first !== undefined && { closest: first }),
    },
  );
}

/** Names the closest companies; only those of the very name, whose legal form is another one, where there are any. */
const toClosest = (described: readonly Message[], named: readonly Message[]): Message =>
  named.length > 0
    ? msg`with another legal form: ${joined(named, "; ")}; write that one or none, or choose the company in the FEED pane`
    : msg`closest: ${joined(described, "; ")}; correct the spelling, or choose the company in the FEED pane`;

/** The name of a company that is most like the written one, or another text that means it. */
function findNameText(writing: Writing, row: NameRow): Promise<string> {
  const pairs = listPairs(foldName(writing.written.text));
  const names = listNameTexts(writing, row);
  names.sort((one, other) => toNameLikeness(other, pairs) - toNameLikeness(one, pairs));
  return findReadyText(writing, row, [...names, ...listCodeTexts(writing, row)]);
}

/** A country is only named where the index of all countries is at hand, and has the name there. */
async function toCure({ engine, written }: Writing, indexes: Pick<NameIndexes, "state" | "find">): Promise<Message> {
  const { text, country } = written;
  if (country === "ALL") return msg`correct the spelling`;
  const all = indexes.state("ALL").facts === null ? null : await indexes.find("ALL");
  const [row] = all === null ? [] : (await engine.match(all.key, text)).rows;
  const abroad = row === undefined ? "" : pickColumn(row, "countryCode");
  return Object.hasOwn(ASIAN_COUNTRIES, abroad)
    ? msg`correct the spelling, or write its country before it: "${abroad}:${toShort(text)}"`
    : msg`correct the spelling, or search all countries in Find`;
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
      const { rows } = await engine.search(key, part, MOST_COMPARED, family);
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
  return Math.max(0, ...listNames(row).map((name) => toNameLikeness(name, pairs)));
}

function toNameLikeness(name: string, pairs: readonly string[]): number {
  const own = new Set(listPairs(foldName(name)));
  return (2 * pairs.filter((pair) => own.has(pair)).length) / (pairs.length + own.size);
}

const listPairs = (text: string): string[] => [
  ...new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))),
];
