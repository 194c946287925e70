import { type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import { type Chance, createChance } from "../../../support/chance";
import { DIRT, type Writing } from "./dirt";
import { CITIES, FIRST_WORDS, FORMS, type Parts, SECOND_WORDS, STRANGERS } from "./name-parts";

/** A name as a list may have it, and the company that is meant. */
export interface DirtyName {
  name: string;
  country: string;
  hints: string[];
  /** Null where the company is not in the index. */
  companyId: string | null;
  kind: string;
}

/** One name in ten has no company; one in eight of the others is a name that several companies have. */
const ABSENT = 0.1;
const SHARED = 0.125;
/** Of names that several companies have, so many come with a hint that tells them apart. */
const HINTED_IF_SHARED = 0.5;
const HINTED = 0.1;
const JAPANESE = 0.5;

/**
 * Writes companies' names as lists of customers have them; repeatable by seed. It shares nothing with the matcher: it
 * knows the sandbox's words, and makes each name from them and not from the index.
 *
 * @param english names in English of companies whose rows may have none
 */
export function createDirtyNames(
  rows: readonly NameRow[],
  english: readonly string[],
  seed: number,
  count: number,
): DirtyName[] {
  const chance = createChance(seed);
  const targets = sortTargets(rows, english);
  return Array.from({ length: count }, () => {
    const isJapanese = chance.happens(JAPANESE);
    if (chance.happens(ABSENT)) return createAbsent(chance, targets, isJapanese);
    const { alone, shared } = isJapanese ? targets.japanese : targets.others;
    const isShared = shared.length > 0 && chance.happens(SHARED);
    return createPresent(chance, chance.pick(isShared ? shared : alone), isJapanese, isShared);
  });
}

interface Target {
  row: NameRow;
  parts: Parts;
}

/** Reads "Sakura Foods Osaka Co., Ltd." from its end; null for a name that is not made so. */
function readParts(english: string): Parts | null {
  const isIndonesian = english.startsWith("PT ");
  const form = isIndonesian ? "PT" : FORMS.find((each) => english.endsWith(` ${each}`));
  if (form === undefined) return null;
  const name = isIndonesian ? english.slice(3) : english.slice(0, -form.length - 1);
  const second = [...SECOND_WORDS.keys()].find((each) => new RegExp(` ${each}(?: |$)`).test(name));
  if (second === undefined) return null;
  const [first = "", behind = ""] = name.split(` ${second}`);
  const city = [...CITIES.keys()].find((each) => behind.startsWith(` ${each}`)) ?? "";
  return { first, second, city, rest: behind.slice(city === "" ? 0 : city.length + 1).trim(), form };
}

const toSpoken = ({ first, second, city, rest }: Parts) => [first, second, city, rest].join(" ");

function sortTargets(rows: readonly NameRow[], english: readonly string[]) {
  const all = rows.flatMap((row): Target[] => {
    const parts = readParts(pickColumn(row, "companyEnglishName") || pickColumn(row, "companyName"));
    return parts === null ? [] : [{ row, parts }];
  });
  const owners = new Map<string, number>();
  for (const { parts } of all) owners.set(toSpoken(parts), (owners.get(toSpoken(parts)) ?? 0) + 1);
  const isAlone = ({ parts }: Target) => owners.get(toSpoken(parts)) === 1;
  const split = (some: Target[]) => ({
    alone: some.filter(isAlone),
    shared: some.filter((each) => !isAlone(each)),
  });
  const isJapanese = ({ row }: Target) => pickColumn(row, "countryCode") === "JPN";
  return {
    japanese: split(all.filter(isJapanese)),
    others: split(all.filter((each) => !isJapanese(each))),
    spoken: new Set([
      ...owners.keys(),
      ...english.map(readParts).flatMap((parts) => (parts === null ? [] : [toSpoken(parts)])),
    ]),
  };
}

function createPresent(chance: Chance, { row, parts }: Target, isJapanese: boolean, isShared: boolean): DirtyName {
  const own = pickColumn(row, "companyFormalName") || pickColumn(row, "companyName");
  const written = write(chance, { parts, own, isJapanese });
  const isHinted = chance.happens(isShared ? HINTED_IF_SHARED : HINTED);
  const hints = isHinted ? createHints(chance, row) : [];
  const country = chance.happens(0.3) ? "ALL" : pickColumn(row, "countryCode");
  const kind = `${written.kind}${isShared ? ", shared" : ""}${hints.length > 0 ? ", hint" : ""}`;
  return { name: written.name, country, hints, companyId: pickColumn(row, "companyId"), kind };
}

/** Writes a name, and makes one or two mistakes in it. */
function write(chance: Chance, writing: Writing): { name: string; kind: string } {
  const usable = DIRT.filter(({ needs }) => needs === undefined || needs(writing));
  const { kind, spell } = chance.pick(usable);
  const name = spell(writing, chance);
  const after = chance.happens(0.15) ? chance.pick(usable.filter(({ isLate }) => isLate)) : undefined;
  return after?.change === undefined
    ? { name, kind }
    : { name: after.change(name, chance), kind: `${kind}, ${after.kind}` };
}

/** Hints that tell one of several companies, and now and then one that tells little. */
function createHints(chance: Chance, row: NameRow): string[] {
  const [ticker, host] = [pickColumn(row, "tickerSymbol"), pickColumn(row, "website")];
  const strong = [
    ticker,
    ticker && `${ticker} JP`,
    pickColumn(row, "registrationNumber"),
    host && `https://www.${host}/contact`,
    host && `sales@${host}`,
  ].filter((hint) => hint !== "");
  const weak = [pickColumn(row, "city"), pickColumn(row, "industry").split(" / ").at(-1) ?? ""];
  const told = weak.filter((hint) => hint !== "" && chance.happens(0.3));
  return strong.length === 0 ? told : [chance.pick(strong), ...told];
}

/** A name near those of the index that no company has. */
function createAbsent(chance: Chance, targets: ReturnType<typeof sortTargets>, isJapanese: boolean): DirtyName {
  const { alone } = isJapanese ? targets.japanese : targets.others;
  for (;;) {
    const { row, parts } = chance.pick(alone);
    const country = pickColumn(row, "countryCode");
    const [changed, kind] = chance.pick<() => [Parts, string]>([
      () => [{ ...parts, first: chance.pick(isJapanese ? STRANGERS.japanese : STRANGERS.others) }, "other name"],
      () => [{ ...parts, second: chance.pick([...SECOND_WORDS.keys()]) }, "other business"],
      () => [{ ...parts, city: chance.pick([...CITIES.keys()]), rest: "" }, "other city"],
      () => [{ ...parts, first: chance.pick([...FIRST_WORDS.keys()]) }, "other combination"],
    ])();
    if (targets.spoken.has(toSpoken(changed))) continue;
    const { name, kind: dirt } = write(chance, { parts: changed, own: null, isJapanese });
    return {
      name,
      country: chance.happens(0.3) ? "ALL" : country,
      hints: [],
      companyId: null,
      kind: `absent: ${kind}, ${dirt}`,
    };
  }
}
