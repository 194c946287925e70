import { jest } from "@jest/globals";
import type { Session } from "../../src/session/session";
import { createOfficeRuntime } from "./office-runtime";

/** What a cell shows: rows of values, where an error stands as `CODE text`. */
export type Shown = unknown[][];

/** A cell that holds a streaming formula, as the host sees it. */
export interface FormulaCell {
  /** Everything that was shown so far. */
  readonly shown: readonly Shown[];
  /** The next thing shown that nobody has taken yet, as soon as it is there. */
  next(): Promise<Shown>;
  /** Cancels, as a host does when the cell is emptied. */
  cancel(): void;
}

export interface Formulas {
  session: Session;
  /** Types a formula into a cell: `type("FINANCIAL", [[id]], [[2023]], [["Revenue"]])`; arguments left out are null. */
  type(name: FormulaName, ...parameters: unknown[]): FormulaCell;
  /** The same, while the formula is still being typed. */
  preview(name: FormulaName, ...parameters: unknown[]): FormulaCell;
  close(): void;
}

type FormulaName = "FINANCIAL" | "RANKING";
type Formula = (...parameters: unknown[]) => void;

/** Parameters a formula has before its invocation. */
const PARAMETERS: Record<FormulaName, number> = { FINANCIAL: 5, RANKING: 6 };

/** Puts the genuine CustomFunctions namespace where the sources look for it. */
export function installCustomFunctions(): void {
  const runtime = createOfficeRuntime({ origin: "http://localhost" });
  Object.assign(globalThis, { CustomFunctions: runtime.evaluate("CustomFunctions") });
  runtime.dispose(); // only the namespace is wanted, not its timers
}

/** Loads the formulas' sources as a page at `origin` would, with a session of its own. */
export function loadFormulas(origin: string): Formulas {
  installCustomFunctions();
  Object.assign(globalThis, { location: { origin } });
  let formulas = {} as Record<FormulaName, Formula>;
  let session = {} as Session;
  jest.isolateModules(() => {
    session = require("../../src/session/current").session;
    const { financial } = require("../../src/functions/financials");
    const { ranking } = require("../../src/functions/rankings");
    formulas = { FINANCIAL: financial, RANKING: ranking };
  });
  const open = (name: FormulaName, parameters: unknown[], isInValuePreview: boolean) => {
    const cell = createCell(isInValuePreview);
    const padded = Array.from({ length: PARAMETERS[name] }, (_, index) => parameters[index] ?? null);
    formulas[name](...padded, cell.invocation);
    return cell;
  };
  return {
    session,
    type: (name, ...parameters) => open(name, parameters, false),
    preview: (name, ...parameters) => open(name, parameters, true),
    close: () => session.feed.watch.close(),
  };
}

function createCell(isInValuePreview: boolean) {
  const shown: Shown[] = [];
  let taken = 0;
  let tell = () => {};
  const invocation = {
    isInValuePreview,
    onCanceled: () => {},
    setResult(value: unknown) {
      shown.push(toShown(value));
      tell();
    },
  };
  return {
    invocation,
    shown,
    async next() {
      if (taken === shown.length) await new Promise<void>((resolve) => (tell = resolve));
      return shown[taken++] as Shown;
    },
    cancel: () => invocation.onCanceled(),
  };
}

function toShown(value: unknown): Shown {
  const rows = Array.isArray(value) ? value : [[value]];
  return rows.map((row: unknown[]) =>
    row.map((cell) => (cell instanceof CustomFunctions.Error ? `${cell.code} ${cell.message}`.trim() : cell)),
  );
}
