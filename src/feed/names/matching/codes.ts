import type { PersistedIndex } from "../search";

/** Finds companies by a whole code or website, without a pass over all of them. */
export interface CodeTable {
  /** Companies with this folded code; each once. */
  find(code: string): number[];
}

const CODES_A_STEP = 20_000;

/** Codes that more companies have tell nothing. */
const MOST_OWNERS = 50;

/** Makes the table of an index's codes, in steps. */
export function* createCodeTable({ codes, codeRows }: PersistedIndex): Generator<void, CodeTable> {
  const buckets = 2 ** Math.ceil(Math.log2(codeRows.length + 1));
  const starts = new Uint32Array(codeRows.length + 1);
  /** For each bucket its latest code, for each code the one before it in its bucket; both one more than the number. */
  const latest = new Uint32Array(buckets);
  const before = new Uint32Array(codeRows.length);
  for (let count = 0, at = 0; count < codeRows.length; count++) {
    const end = codes.indexOf("\n", at + 1);
    starts[count] = at + 1;
    starts[count + 1] = end + 1;
    const bucket = toHash(codes.slice(at + 1, end)) & (buckets - 1);
    before[count] = latest[bucket] as number;
    latest[bucket] = count + 1;
    at = end;
    if (count % CODES_A_STEP === 0) yield;
  }
  return {
    find(code) {
      const rows = new Set<number>();
      for (let at = latest[toHash(code) & (buckets - 1)] as number; at !== 0; at = before[at - 1] as number) {
        const [start, end] = [starts[at - 1] as number, (starts[at] as number) - 1];
        if (end - start === code.length && codes.startsWith(code, start)) rows.add(codeRows[at - 1] as number);
        if (rows.size === MOST_OWNERS) break;
      }
      return [...rows];
    },
  };
}

function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
