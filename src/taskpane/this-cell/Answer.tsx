import { Caption1 } from "@fluentui/react-components";
import { useMemo } from "react";
import type { Snapshot } from "../activity/snapshot";
import { createNames } from "../company-search";
import { Hint } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { toLine } from "./line";
import { type KnownQuery, listResolutions, type Provenance } from "./queries";
import type { SelectedFormula } from "./selected-formulas";

/**
 * The answer behind a cell in a line that a person can read; null without an answer.
 *
 * @param known null where the query is not certain
 */
export function useLine(
  known: KnownQuery | null,
  { call }: SelectedFormula,
  { origin }: Pick<Provenance, "origin">,
  snapshot: Snapshot,
): string | null {
  const { session, texts } = usePane();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a name may be known since the snapshot before
  const names = useMemo(() => createNames(session, texts), [session, texts, snapshot]);
  if (known === null) return null;
  const [resolution = null] = listResolutions([known], session);
  return toLine({ known, origin, unit: call.given.unit, names, resolution, nowMs: snapshot.nowMs }, texts);
}

/** What else is known of an answer: how far it is, and the cells that share it. */
export function AnswerNotes({ known }: { known: KnownQuery }) {
  const { ofBuild, ofProvenance } = usePane().texts;
  const { state, shared } = known;
  const progress = state.status === "pending" ? state.progress : undefined;
  return (
    <>
      {state.status === "pending" && <Caption1 block>{ofProvenance.pending}</Caption1>}
      {progress && <Caption1 block>{ofBuild.progress(progress.rows.length, progress.expected)}</Caption1>}
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
