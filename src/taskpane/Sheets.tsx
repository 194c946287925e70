import { useState } from "react";
import { Stack } from "./layout";
import { type Handoffs, useHandoff, usePane } from "./pane";
import { MadeSheets } from "./sheets/MadeSheets";
import { NewSheet } from "./sheets/NewSheet";
import { Refreshing } from "./sheets/Refreshing";

/** Sheets that stay current: new ones, existing ones, and their refresh. */
export function Sheets({ handoff }: { handoff: Handoffs["sheets"] | undefined }) {
  const { session } = usePane();
  // Decided once: a returning person wants the refresh first, and nothing jumps when a sheet is made.
  const [isReturning, setReturning] = useState(() => session.settings.sheets.length > 0);
  useHandoff(handoff, () => setReturning(false));
  const making = <NewSheet key="new" handoff={handoff} />;
  const existing = [<MadeSheets key="made" />, <Refreshing key="refreshing" />];
  return <Stack gap="XXL">{isReturning ? [...existing, making] : [making, ...existing]}</Stack>;
}
