import type { PersistedIndex } from "../search";
import { type CodeTable, createCodeTable } from "./codes";
import { ONE_WORD } from "./likeness";
import { createNearNames } from "./near-names";
import { createPostingsBuilder, type Postings } from "./postings";
import { createVocabulary, type Vocabulary } from "./vocabulary";
import type { Word, Words } from "./word";
import { createWordReader, type WordReader } from "./words";

/** The names of an index in words, and companies by them. */
export interface NameTable {
  readonly reader: WordReader;
  readonly vocabulary: Vocabulary;
  readonly codes: CodeTable;
  /** Weight of a word, more for a rarer one: 0 to 1. */
  weigh(word: Word): number;
  /** The words of a name of the index, by its number. */
  wordsOf(entry: number): Words;
  /** The company of a name. */
  rowOf(entry: number): number;
  textOf(entry: number): string;
  /**
   * Numbers of the names that have most in common with some words, the nearest first.
   *
   * @param isThorough whether typing errors are looked for too
   */
  findNear(words: Words, isThorough: boolean): number[];
}

const NAMES_A_STEP = 750;

/** Makes the table of an index, in steps: a worker or page does other work between them. */
export function* createNameTable(index: PersistedIndex): Generator<void, NameTable> {
  const { names, nameRows } = index;
  const vocabulary = createVocabulary();
  const reader = createWordReader(vocabulary.know);
  yield;
  const byWord = createPostingsBuilder();
  const starts = new Uint32Array(nameRows.length + 1);
  const firstWords = new Uint32Array(nameRows.length + 1);
  let numbers = new Uint32Array(nameRows.length * 4 + 16);
  let count = 0;
  for (let entry = 0, at = 0; entry < nameRows.length; entry++) {
    const end = names.indexOf("\n", at + 1);
    starts[entry] = at + 1;
    for (const word of reader.read(names.slice(at + 1, end))) {
      const number = vocabulary.number(word);
      if (count === numbers.length) numbers = enlarge(numbers);
      numbers[count++] = number;
      byWord.add(number, entry);
    }
    starts[entry + 1] = end + 1;
    firstWords[entry + 1] = count;
    at = end;
    if (entry % NAMES_A_STEP === 0) yield;
  }
  const entriesOf = yield* byWord.pack(vocabulary.size());
  yield* vocabulary.finish();
  const codes = yield* createCodeTable(index);
  const numbersOf = (entry: number) => numbers.subarray(firstWords[entry], firstWords[entry + 1]);
  const wordsOf = (entry: number): Words => Array.from(numbersOf(entry), vocabulary.word);
  const weights = createNumberWeights(vocabulary.size(), entriesOf, nameRows.length);
  const weigh = createWeights(vocabulary, weights);
  return {
    reader,
    vocabulary,
    codes,
    weigh,
    wordsOf,
    rowOf: (entry) => nameRows[entry] as number,
    textOf: (entry) => names.slice(starts[entry], (starts[entry + 1] as number) - 1),
    findNear: createNearNames(vocabulary, { numbers, firstWords, entriesOf, weights, weigh }, nameRows.length),
  };
}

function enlarge(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** A word that every second company has still tells something. */
const LEAST_WEIGHT = 0.3;

/** More for a rarer word, 0 to 1. */
function createNumberWeights(words: number, entriesOf: Postings, names: number): Float32Array {
  const most = Math.log(names + 2);
  const weights = new Float32Array(words);
  for (let number = 0; number < words; number++) {
    weights[number] = Math.max(LEAST_WEIGHT, 1 - Math.log(entriesOf.count(number) + 1) / most);
  }
  return weights;
}

/** A word that is not of the index has the weight of the one that it may be. */
function createWeights({ findNumber, findLike }: Vocabulary, weights: Float32Array) {
  const remembered = new Map<string, number>();
  const weighUnknown = (word: Word): number => {
    const [like] = findLike(word, true);
    return like !== undefined && like.likeness >= ONE_WORD ? (weights[like.number] as number) : 1;
  };
  return (word: Word): number => {
    const known = findNumber(word);
    if (known !== null) return weights[known] as number;
    const weight = remembered.get(word.text) ?? weighUnknown(word);
    if (remembered.size > MOST_WEIGHTS) remembered.clear();
    remembered.set(word.text, weight);
    return weight;
  };
}

const MOST_WEIGHTS = 50_000;
