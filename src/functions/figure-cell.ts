import type { Financials } from "../feed/decode";
import type { FigureIndex } from "../feed/financials/figure-index";
import type { Unit } from "../feed/financials/unit";
import type { Answer } from "../feed/query-cache";
import type { Call, Origin } from "../session/calls";
import type { Session } from "../session/session";
import { type Invocation, isEqual } from "./cell-writer";
import { type Abilities, type Output, toCell, toCellError } from "./cells";
import { pickFigure } from "./figures";
import { findOrigin } from "./stream";
import type { Settled, View } from "./view-observer";

/** A metric and a unit as formulas give them. Thousands of cells share one. */
export interface FigureColumn {
  /** The arguments as given; null where absent. */
  readonly metric: string;
  readonly unit: string | number | null;
  /** The metric's name, trimmed, and folded by `toName`. */
  readonly name: string;
  readonly foldedName: string;
  /** The unit that they mean. */
  readonly scale: Unit;
}

/** The cells that share an answer. */
interface Group {
  readonly queries: Call["queries"];
  readonly settled: Settled | null;
  leave(): void;
  showSoon(cells: readonly FigureCell[]): void;
}

/** A company whose figures are in cells. */
export interface FigureCompany<G extends Group = Group> {
  readonly session: Session;
  /** Its id as given. */
  readonly companyId: string;
  /** Its new cells by year. */
  readonly newcomers: Map<number, FigureCell[]>;
  /** The groups of its cells by year; years that come together share one. */
  readonly groups: Map<number, G>;
  /** Opens the view of a formula, which knows where its figure comes from. */
  readonly open: (given: Call["given"]) => View;
}

/** A formula of one figure in its cell. A workbook has many thousands: it holds only what no other cell has. */
export class FigureCell implements Call {
  /** Null before its query is opened. */
  group: Group | null = null;
  /** Its error; null while it shows a value. */
  error: unknown = null;
  shown: Output | null = null;
  hasEnded = false;
  /** Whether it has shown an answer or a failure of its query. */
  #isSettled = false;

  constructor(
    private readonly invocation: Invocation,
    private readonly company: FigureCompany,
    readonly year: number,
    private readonly column: FigureColumn,
  ) {
    invocation.onCanceled = () => this.end();
  }

  get name(): string {
    return "FINANCIAL";
  }

  get given(): Call["given"] {
    const { metric, unit } = this.column;
    return { company: [[this.company.companyId]], year: [[this.year]], metric: [[metric]], basis: null, unit };
  }

  get address(): string | null {
    return this.invocation.address ?? null;
  }

  get queries(): Call["queries"] {
    return this.group?.queries ?? [];
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.group?.leave();
  }

  /** Only settings can change its output: it depends on no day. */
  reread(isForSettings = false): void {
    if (!isForSettings) return;
    this.error = null; // as of a formula that is read again, until its answer shows
    this.group?.showSoon([this]);
  }

  findOrigin(row: number, column: number): Origin {
    const settled = this.#isSettled ? (this.group?.settled ?? null) : null;
    return findOrigin(() => settled && this.company.open(this.given).show([settled]), row, column);
  }

  /**
   * Shows its figure in an answer, or the error.
   *
   * @param index of the answer; null where figures are picked with their facts
   * @returns whether its output has changed, for {@link send}
   */
  show(settled: Settled, index: FigureIndex | null, abilities: Abilities): boolean {
    const { year, column } = this;
    this.#isSettled = true;
    const { divisor, currency } = column.scale;
    // The index has numbers alone, which say nothing of their currency.
    const number = currency === null ? (index?.find(year, column.foldedName) ?? null) : null;
    const value = number === null ? this.#pick(settled) : number / divisor;
    this.error = value instanceof Error ? value : null;
    return this.set(this.#toOutput(value, abilities));
  }

  #toOutput(value: unknown, abilities: Abilities): Output {
    try {
      const cell = toCell(value, abilities);
      return cell instanceof CustomFunctions.Error ? cell : [[cell]];
    } catch (error) {
      this.error = error;
      return toCellError(error);
    }
  }

  /** @returns whether its output has changed */
  set(output: Output): boolean {
    if (this.shown !== null && isEqual(this.shown, output)) return false;
    this.shown = output;
    return true;
  }

  /** Hands its output to the host. */
  send(): void {
    if (!this.hasEnded) this.invocation.setResult(this.shown as unknown[][]);
  }

  #pick(settled: Settled): unknown {
    if (settled.status !== "answered") return settled.error;
    const { name, scale } = this.column;
    const { dateSystem } = this.company.session.settings;
    try {
      return pickFigure(
        settled.answer as Answer<Financials>,
        { kind: "fiscal", year: this.year },
        { name, basis: [] },
        { ...scale, dateSystem },
      );
    } catch (error) {
      return error;
    }
  }
}
