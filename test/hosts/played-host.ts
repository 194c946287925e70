import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostProfile } from "../../src/playground/hosts/profile";
import type { CallOptions } from "../office/bridge";
import { type CellOutcome, type Delivery, toOutcome } from "../office/deliveries";
import { createOfficeRuntime } from "../office/runtime";
import { startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { readDeclared, readFacts } from "../support/formula-calls";
import { until } from "../support/until";

const BUNDLE = readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");
export const DECLARED = readDeclared();

/** Opens a workbook with the built formulas on the genuine runtime, called and shown as that kind of Excel does. */
async function playHost(profile: HostProfile, origin: string) {
  const runtime = createOfficeRuntime({ origin, requirementSets: profile.requirementSets.value });
  runtime.load(BUNDLE);
  await runtime.ready;
  const show = (delivery: Delivery) => toShown(toOutcome(delivery), profile);
  return {
    /** Types a formula; omitted arguments arrive as null. */
    type(name: string, given: readonly unknown[], options?: CallOptions) {
      const parameters = DECLARED.find(({ id }) => id === name)?.parameters ?? [];
      const padded = parameters.map((_, place) => given[place] ?? null);
      const address = profile.givesAddress.value ? "Sheet1!B2" : undefined;
      return runtime.call(name, padded, { stream: true, richData: profile.hasDataTypes.value, address, ...options });
    },
    next: runtime.next,
    /** What the cell shows of a result. */
    show,
    /** The first result of at least that many rows, or an error, as the cell shows it. */
    async showRows(cell: number, rows: number) {
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

export type FormulaBed = Awaited<ReturnType<typeof startFormulaBed>>;

/** Hosts one after another, at one companion. */
export async function startFormulaBed() {
  const companion = await startCompanion({ companies: 300 });
  const facts = await readFacts(await createDirectReading(companion.origin));
  const bed = {
    facts,
    /** The first company's id. */
    id: facts.companies[0]!.id,
    /** The host that was played last. */
    excel: undefined as unknown as Awaited<ReturnType<typeof playHost>>,
    async play(profile: HostProfile) {
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
