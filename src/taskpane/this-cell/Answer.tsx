import { Caption1 } from "@fluentui/react-components";
import { useMemo } from "react";
import type { Resolution } from "../../feed/resolutions";
import type { Snapshot } from "../activity/snapshot";
import { createNames } from "../company-names";
import { readNamed } from "../name-company";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { Hint } from "../typography";
import { toLine } from "./line";
import type { KnownQuery, Provenance } from "./queries";
import { Resolved } from "./Resolved";
import type { SelectedFormula } from "./selected-formulas";

interface Told {
  /** The origin of the value; null without an answer. */
  line: string | null;
  /** What the company's name in the formula resolved to; null where it has none. */
  resolution: Resolution | null;
}

/** The answer behind a cell in a line that a person can read. @param known null where the query is not certain */
export function useTold(
  known: KnownQuery | null,
  { call }: SelectedFormula,
  { origin }: Pick<Provenance, "origin">,
  snapshot: Snapshot,
): Told {
  const { session, texts } = usePane();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a name may be known since the snapshot before
  const names = useMemo(() => createNames(session, texts), [session, texts, snapshot]);
  if (known === null) return { line: null, resolution: null };
  const named = readNamed(known.query.key);
  const resolution = named && session.feed.resolutions.find(named);
  const facts = { known, origin, unit: call.given.unit, names, resolution, nowMs: snapshot.nowMs };
  return { line: toLine(facts, texts), resolution };
}

/** What else is known of an answer: its company, the cells that share it, and whether more is to come. */
export function AnswerNotes({ known, resolution }: { known: KnownQuery; resolution: Resolution | null }) {
  const { ofProvenance } = usePane().texts;
  const { state, shared } = known;
  return (
    <>
      {state.status === "pending" && <Caption1 block>{ofProvenance.pending}</Caption1>}
      {state.status === "answered" && !state.answer.isComplete && <Caption1 block>{ofProvenance.partly}</Caption1>}
      {resolution !== null && <Resolved resolution={resolution} />}
      {shared > 0 && <Hint block>{ofProvenance.alsoFrom(shared)}</Hint>}
      {state.status === "answered" && state.error !== null && (
        <div>
          {ofProvenance.notRefreshed}
          <Reason error={state.error} />
        </div>
      )}
    </>
  );
}
