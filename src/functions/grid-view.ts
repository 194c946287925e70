import type { Answer, Question } from "../feed/watch";
import type { Reading } from "./arguments";
import type { Table } from "./cells";
import type { Grid } from "./grid";
import type { Settled, View } from "./stream";

/** What one cell of a grid asks, and how its value is found in the answer; what `show` throws is the cell's error. */
export interface Wish<T> {
  question: Question<T>;
  show(answer: Answer<T>): unknown;
}

/** Readings by the names of their arguments. */
type Readings = Record<string, Reading<unknown>>;
type Values<T extends Readings> = { [K in keyof T]: T[K] extends Reading<infer V> ? V : never };

/** Makes one of a cell's arguments: the first error among them, else blank where one is, else what is made of them. */
export function join<T extends Readings, R>(readings: T, toResult: (values: Values<T>) => R): Reading<R> {
  const all = Object.values(readings);
  const failed = all.find((reading) => reading.kind === "error");
  if (failed !== undefined) return failed as Reading<R>;
  if (all.some(({ kind }) => kind === "blank")) return { kind: "blank" };
  const values = Object.entries(readings).map(([name, reading]) => [name, (reading as { value: unknown }).value]);
  return { kind: "value", value: toResult(Object.fromEntries(values)) };
}

/** Opens a grid in which each cell shows its own value or error; equal questions of its cells are one. */
export function openGrid<T>(cells: Grid<Reading<Wish<T>>>): View {
  const places = new Map<string, number>();
  const questions: Question<T>[] = [];
  const place = (question: Question<T>): number => {
    const key = JSON.stringify(question.key);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, questions.length);
    return questions.push(question) - 1;
  };
  const placed = cells.map((row) =>
    row.map((cell) => ({ cell, at: cell.kind === "value" ? place(cell.value.question) : 0 })),
  );
  return {
    questions,
    isRelative: false,
    show(settled): Table {
      const rows = placed.map((row) => row.map(({ cell, at }) => showCell(cell, settled[at])));
      return { rows, expected: rows.length };
    },
  };
}

function showCell<T>(cell: Reading<Wish<T>>, settled: Settled | undefined): unknown {
  if (cell.kind === "error") return cell.error;
  if (cell.kind === "blank") return "";
  if (settled?.status !== "answered") return settled?.error;
  try {
    return cell.value.show(settled.answer as Answer<T>);
  } catch (error) {
    return error;
  }
}
