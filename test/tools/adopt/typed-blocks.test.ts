import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Session } from "../../../src/session/session";
import { readBlock } from "../../../src/tools/adopt/block";
import { listCompanyQueries } from "../../../src/tools/adopt/companies";
import {
  type ComparedCell,
  type Comparison,
  compareBlock,
  compareCells,
  isAgreeing,
  toFirstChoices,
} from "../../../src/tools/adopt/comparison";
import type { SheetPart } from "../../../src/tools/adopt/sides";
import { type RunningCompanion, startCompanion } from "../../support/companion";
import { createDirectReading } from "../../support/direct-reading";
import { createTypedBlock, type SourceCompany, type Truth, type TypedBlock } from "./typed-blocks";
import { openFormulaPage, readSources } from "./typed-blocks-page";

const BLOCKS = 60;

interface Case {
  seed: number;
  typed: TypedBlock;
  comparison: Comparison | string;
  taken: ComparedCell[];
}

let companion: RunningCompanion;
let session: Session;
let cases: Case[];

async function compare(typed: TypedBlock): Promise<Comparison | string> {
  const { cells, selection } = typed;
  const part: SheetPart = { sheet: "Model", row: 0, column: 0, cells, selection, dateSystem: 1900 };
  const block = readBlock(part);
  if (typeof block === "string") return block;
  const queries = await listCompanyQueries(session, block);
  const { signal } = new AbortController();
  const counted: number[] = [];
  const progress = (done: number) => void counted.push(done);
  const comparison = await compareBlock({ session, part, block, queries, progress, signal });
  if (typeof comparison !== "string") expect(counted).toEqual(queries.map((_, index) => index + 1));
  return comparison;
}

beforeAll(async () => {
  companion = await startCompanion({ companies: 400 });
  const sources: SourceCompany[] = await readSources(await createDirectReading(companion.origin), 250);
  session = await openFormulaPage(companion.origin);
  const seeds = Array.from({ length: BLOCKS }, (_, index) => index + 1);
  cases = await Promise.all(
    seeds.map(async (seed) => {
      const typed = createTypedBlock(seed, sources);
      const comparison = await compare(typed);
      const taken = typeof comparison === "string" ? [] : compareCells(comparison, toFirstChoices(comparison));
      return { seed, typed, comparison, taken: taken.filter(isAgreeing) };
    }),
  );
}, 120_000);
afterAll(async () => {
  session.feed.queryCache.close();
  await companion.close();
});

const truthOf = ({ typed }: Case, { cell }: ComparedCell): Truth | undefined =>
  typed.truths.get(`${cell.row},${cell.column}`);

/** Whether a cell is taken for what it was typed from. */
function isRight(truth: Truth | undefined, { hypothesis, figure, year }: ComparedCell): boolean {
  if (truth === undefined || truth.isWrong) return false;
  const { metric, unit, sign } = hypothesis;
  const isSame = metric === truth.metric && unit === truth.unit && sign === truth.sign && year === truth.year;
  return isSame && Math.abs((figure ?? 0) - truth.figure) <= 1e-9 * Math.abs(truth.figure);
}

describe("blocks of typed numbers", () => {
  it("are of each layout, with and without labels, in both languages", () => {
    expect(new Set(cases.map(({ typed }) => typed.layout)).size).toBe(2);
    expect(new Set(cases.map(({ typed }) => typed.labels.metrics))).toEqual(new Set(["en", "ja", "none"]));
    expect(new Set(cases.map(({ typed }) => typed.labels.kind)).size).toBe(3);
  });

  it("are recognised in at least 95 of 100 cells", () => {
    const all = cases.flatMap(({ typed }) => [...typed.truths.values()]).filter(({ isWrong }) => !isWrong).length;
    const right = cases.flatMap((each) => each.taken.filter((cell) => isRight(truthOf(each, cell), cell))).length;
    expect(all).toBeGreaterThan(1_000);
    expect(right / all).toBeGreaterThanOrEqual(0.95);
  });

  it("are never taken for another figure, nor ratios, sums and typing errors for figures", () => {
    const wrong = cases.flatMap((each) =>
      each.taken
        .filter((cell) => !isRight(truthOf(each, cell), cell))
        .map(({ cell, hypothesis }) => ({
          seed: each.seed,
          typed: cell.typed,
          hypothesis,
          truth: truthOf(each, { cell } as ComparedCell),
        })),
    );
    expect(wrong).toEqual([]);
    expect(cases.reduce((sum, { typed }) => sum + typed.decoys.size, 0)).toBeGreaterThan(200);
  });

  it("explain exchanged digits as a typing error", () => {
    const reasons = cases.flatMap((each) => {
      if (typeof each.comparison === "string") return [];
      const all = compareCells(each.comparison, toFirstChoices(each.comparison));
      return all.filter((cell) => truthOf(each, cell)?.isWrong).map(({ reason }) => reason?.kind);
    });
    expect(reasons.length).toBeGreaterThan(20);
    expect(reasons.filter((kind) => kind === "digits").length / reasons.length).toBeGreaterThan(0.9);
  });
});
