import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/tools/check/check";
import type { Finding } from "../../../src/tools/check/finding";
import { RULE_IDS, type RuleId } from "../../../src/tools/check/texts";
import { type Chance, createChance } from "../../support/chance";
import { Book } from "./book";
import { DECOYS } from "./decoys";
import { FAULTS } from "./faults";
import { addTable, addTotals } from "./seeded-tables";
import { readClean, readFaulty, readSmall, readTwoFaults, type Written } from "./written";

const GENERATED = 40;

/** A fault, and the cells of which a finding must name one. */
type Seed = Written["seeds"][number];

/** Enters a workbook of clean tables, and one sheet for each of its faults and decoys. */
function createSeeded(number: number): Written {
  const chance = createChance(number + 1);
  const book = new Book();
  for (let table = 0; table < 3; table++) addTotals(addTable(book, chance, `Clean${table}`));
  const rules = Array.from({ length: number % 5 < 3 ? 5 : 4 }, (_, index) => {
    return RULE_IDS[(number * 5 + index) % RULE_IDS.length] as RuleId;
  });
  const seeds = rules.map((rule, index): Seed => {
    const forms = FAULTS[rule];
    const fault = forms[(number + index) % forms.length] as (typeof forms)[number];
    const sheet = `Model${index}`;
    return { rule, sheet, cells: [...fault(book, chance, sheet)] };
  });
  addDecoys(book, chance, number);
  return { name: `generated ${number}`, book, seeds };
}

/** Three decoys in each second workbook. */
function addDecoys(book: Book, chance: Chance, number: number): void {
  if (number % 2 !== 0) return;
  const all = Object.values(DECOYS);
  for (let each = 0; each < 3; each++) all[((number / 2) * 3 + each) % all.length]?.(book, chance, `Decoy${each}`);
}

const isAt = ({ sheet, cells }: Seed, { place, evidence }: Finding): boolean =>
  [place, ...evidence.map((each) => each.place)].some((each) => each.sheet === sheet && cells.includes(each.address));

const isOf = (seed: Seed, finding: Finding): boolean => finding.rule === seed.rule && isAt(seed, finding);

const workbooks = [...Array.from({ length: GENERATED }, (_, number) => createSeeded(number)), ...readFaulty()];
const checked = workbooks.map((workbook) => ({ ...workbook, ...checkModel(workbook.book.toInput()) }));
const seeds = checked.flatMap(({ seeds: own, findings }) => own.map((seed) => ({ seed, findings })));

describe("200 faults in 50 workbooks", () => {
  it("are 200, with 60 decoys and each rule at least ten times", () => {
    expect(seeds).toHaveLength(200);
    const counts = RULE_IDS.map((rule) => seeds.filter(({ seed }) => seed.rule === rule).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
    expect(Object.keys(DECOYS).length).toBeGreaterThanOrEqual(15);
  });

  it("are found, 95 of 100 at least", () => {
    const missed = seeds.filter(({ seed, findings }) => !findings.some((finding) => isOf(seed, finding)));
    expect(missed.map(({ seed }) => seed)).toEqual([]);
  });

  it("raise at most one false alarm for 1,000 FEED cells", () => {
    const alarms = checked.flatMap(({ name, seeds: own, findings }) =>
      findings
        .filter((finding) => !own.some((seed) => isOf(seed, finding)))
        .map(({ rule, place, evidence }) => [name, rule, place, evidence.map(({ place: { address } }) => address)]),
    );
    expect(alarms).toEqual([]);
    const cells = checked.reduce((sum, { book }) => sum + book.feedCells, 0);
    expect(alarms.length * 1_000).toBeLessThanOrEqual(cells);
  });
});

const toKey = ({ rule, place }: Finding) => `${rule} ${place.sheet}!${place.address}`;

/** The findings of a workbook, and how many of its formulas could not be read. */
function check({ book }: Written) {
  const { findings, unchecked } = checkModel(book.toInput());
  return { found: findings.map(toKey), unchecked };
}

it.each(readClean().map((written) => [written.name, written] as const))(
  "a workbook without a fault raises no alarm: %s",
  (_, written) => {
    expect(check(written)).toEqual({ found: [], unchecked: 0 });
  },
);

it.each(readSmall().map((written) => [written.name, written] as const))(
  "a small workbook has its fault found, or raises no alarm, and all of it is read: %s",
  (_, written) => {
    const found = written.seeds.map(({ rule, sheet, cells: [cell] }) => `${rule} ${sheet}!${cell}`);
    expect(check(written)).toEqual({ found, unchecked: 0 });
  },
);

it.each(readTwoFaults().map((written) => [written.name, written] as const))(
  "a workbook with two faults has both of them found, and nothing else: %s",
  (_, { book, seeds }) => {
    const { findings } = checkModel(book.toInput());
    const found = findings.map(({ rule, place: { sheet, address } }) => {
      return (
        seeds.find((seed) => seed.rule === rule && seed.sheet === sheet && seed.cells.includes(address)) ?? address
      );
    });
    expect(new Set(found)).toEqual(new Set(seeds));
  },
);
