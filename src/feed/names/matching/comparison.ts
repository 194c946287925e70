import { compareWords, ONE_WORD, type Word, type Words } from "./likeness";
import { join } from "./vocabulary";

/** How a written name fits a company's. */
export interface Fit {
  /** 0 to 1. */
  score: number;
  /** Whether each word of both has its counterpart. */
  isWhole: boolean;
}

interface Weighing {
  weigh(word: Word): number;
  /** Whether a word is one of the index. */
  isKnown(word: Word): boolean;
}

const OTHER_ORDER = 0.985;
const OTHER_SPACES = 0.985;
/** What a name with words left over is worth at most. */
const MOST_OF_A_PART = 0.9;

/** Compares a written name with one of a company, word by word and as a whole. */
export function compareNames(written: Words, own: Words, weighing: Weighing): Fit {
  const byWords = compareByWords(written, own, weighing);
  if (byWords.isWhole && byWords.score > OTHER_SPACES) return byWords;
  const whole = compareAsOne(written, own);
  return whole > byWords.score ? { score: whole, isWhole: true } : byWords;
}

interface Pair {
  from: number;
  /** Number of words, two where a space is too many, more of an abbreviation by initials. */
  length: number;
  to: number;
  toLength: number;
  likeness: number;
}

function compareByWords(written: Words, own: Words, { weigh, isKnown }: Weighing): Fit {
  const pairs = listPairs(written, own, isKnown).sort((one, other) => other.likeness - one.likeness);
  const [taken, takenOwn] = [new Set<number>(), new Set<number>()];
  const chosen: Pair[] = [];
  for (const pair of pairs) {
    const [mine, theirs] = [spread(pair.from, pair.length), spread(pair.to, pair.toLength)];
    if (mine.some((at) => taken.has(at)) || theirs.some((at) => takenOwn.has(at))) continue;
    for (const at of mine) taken.add(at);
    for (const at of theirs) takenOwn.add(at);
    chosen.push(pair);
  }
  const sum = (words: Words) => words.reduce((all, word) => all + weigh(word), 0);
  const all = sum(written) + sum(own);
  const matched = chosen.reduce((total, { from, length, to, toLength, likeness }) => {
    const weight = sum(written.slice(from, from + length)) + sum(own.slice(to, to + toLength));
    return total + weight * likeness;
  }, 0);
  const isPart = taken.size === written.length && chosen.every(({ likeness }) => likeness >= ONE_WORD);
  const isWhole = isPart && takenOwn.size === own.length;
  const isOrdered = [...chosen]
    .sort((one, other) => one.from - other.from)
    .every(({ to }, at, sorted) => at === 0 || to > (sorted[at - 1] as Pair).to);
  const score = all === 0 ? 0 : (matched / all) * (isOrdered ? 1 : OTHER_ORDER);
  if (isWhole) return { score, isWhole };
  return { score: Math.min(isPart ? Math.max(score, toPartScore(score)) : score, MOST_OF_A_PART), isWhole };
}

/** A part of a name, such as "Sakura" of "Sakura Foods Osaka", is worth showing to who chooses. */
const toPartScore = (score: number): number => 0.6 + score / 5;

const LEAST_PAIR = 0.5;

function listPairs(written: Words, own: Words, isKnown: (word: Word) => boolean): Pair[] {
  const pairs: Pair[] = [];
  const add = (from: number, length: number, to: number, toLength: number, likeness: number) => {
    if (likeness >= LEAST_PAIR) pairs.push({ from, length, to, toLength, likeness });
  };
  for (const [from, word] of written.entries()) {
    const known = isKnown(word);
    for (const [to, its] of own.entries()) add(from, 1, to, 1, compareWords(word, its, known));
  }
  for (const [from, to] of neighbours(written, own)) {
    const both = join(written[from] as Word, written[from + 1] as Word);
    add(from, 2, to, 1, compareWords(both, own[to] as Word, false) * OTHER_SPACES);
  }
  for (const [to, from] of neighbours(own, written)) {
    const both = join(own[to] as Word, own[to + 1] as Word);
    const word = written[from] as Word;
    add(from, 1, to, 2, compareWords(word, both, isKnown(word)) * OTHER_SPACES);
  }
  for (const [from, word] of written.entries()) {
    const length = isKnown(word) ? 0 : word.text.length;
    if (word.kind !== "latin" || length < FEWEST_INITIALS || length > MOST_INITIALS) continue;
    for (let to = 0; to + length <= own.length; to++) {
      const initials = own.slice(to, to + length).map(({ text }) => text[0]);
      if (initials.join("") === word.text) add(from, 1, to, length, INITIALS);
    }
  }
  return pairs;
}

/** Likeness of the initials of several words: "HSV" of "Hoa Sen Vang". */
const INITIALS = 0.7;
const FEWEST_INITIALS = 2;
const MOST_INITIALS = 4;

/** Places of two neighbours, and of a single word that is as long as both. */
function neighbours(words: Words, others: Words): [number, number][] {
  return words.slice(1).flatMap((word, at) => {
    const length = (words[at] as Word).text.length + word.text.length;
    return others.flatMap(({ text }, to) =>
      Math.abs(text.length - length) <= 2 ? [[at, to] as [number, number]] : [],
    );
  });
}

const spread = (from: number, length: number): number[] => Array.from({ length }, (_, at) => from + at);

const LONGEST = 60;

/** Compares names without their spaces, which a writer may have set otherwise. */
function compareAsOne(written: Words, own: Words): number {
  const isEqual = (toText: (word: Word) => string) => {
    const [one, other] = [written, own].map((words) => words.map(toText).join("").slice(0, LONGEST));
    return one === other;
  };
  if (isEqual(({ text }) => text)) return OTHER_SPACES;
  return isEqual(({ keys }) => keys[0] as string) ? OTHER_SPACES - 0.01 : 0;
}
