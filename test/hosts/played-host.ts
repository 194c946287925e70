import type { CallOptions } from "../office/bridge";
import { type CellOutcome, type Delivery, toOutcome, withoutFormats } from "../office/deliveries";
import { openFormulas } from "../office/runtime";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Facts, readFacts, toPadded } from "../support/formula-calls";
import { until } from "../support/until";
import type { HostProfile } from "./profiles";

/** The built formulas on the genuine runtime, called and shown as one kind of Excel does. */
export interface PlayedHost {
  /** Types a formula; omitted arguments arrive as null. */
  type(name: string, given: readonly unknown[], options?: CallOptions): number;
  /** The next result of a formula. */
  next(cell: number): Promise<Delivery>;
  /** What the cell shows of a result. */
  show(delivery: Delivery): CellOutcome;
  /** The first result of at least that many rows, or an error, as the cell shows it. */
  showRows(cell: number, rows: number): Promise<CellOutcome>;
  close(): void;
}

/** Opens a workbook with the add-in in that host. */
async function playHost(profile: HostProfile, origin: string): Promise<PlayedHost> {
  const runtime = await openFormulas({ origin, requirementSets: profile.requirementSets.value });
  const show = (delivery: Delivery) => toShown(withoutFormats(toOutcome(delivery)), profile);
  return {
    type(name, given, options) {
      const address = profile.givesAddress.value ? "Sheet1!B2" : undefined;
      return runtime.call(name, toPadded(name, given), {
        stream: true,
        richData: profile.hasDataTypes.value,
        address,
        ...options,
      });
    },
    next: runtime.next,
    show,
    async showRows(cell, rows) {
      let outcome: CellOutcome | undefined;
      await until(async () => {
        outcome = show(await runtime.next(cell));
        if (!("value" in outcome)) return true;
        const values = outcome.value as unknown[][];
        return values.length >= rows && values[0]?.[0] !== "connecting…";
      });
      return outcome as CellOutcome;
    },
    close: runtime.dispose,
  };
}

/** Hosts one after another, at one companion. */
export interface FormulaBed {
  facts: Facts;
  /** The first company's id. */
  id: string;
  /** The host that was played last. */
  excel: PlayedHost;
  play(profile: HostProfile): Promise<void>;
  close(): Promise<void>;
}

export async function startFormulaBed(): Promise<FormulaBed> {
  const companion: RunningCompanion = await startCompanion({ companies: 300 });
  const facts = await readFacts(await createDirectReading(companion.origin));
  const bed: FormulaBed = {
    facts,
    id: facts.companies[0]!.id,
    excel: undefined as never,
    play: async (profile) => {
      bed.excel = await playHost(profile, companion.origin);
    },
    close: () => companion.close(),
  };
  return bed;
}

const isError = (cell: unknown) => typeof cell === "object" && cell !== null && "error" in cell;

/** Some hosts show an array with an error inside as one error without a text. */
function toShown(outcome: CellOutcome, { errorInArray }: HostProfile): CellOutcome {
  if (!("value" in outcome) || !Array.isArray(outcome.value) || errorInArray.value === "each in its cell")
    return outcome;
  return outcome.value.flat().some(isError) ? { error: { code: "#VALUE!", message: "" } } : outcome;
}
