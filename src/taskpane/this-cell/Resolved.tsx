import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useMemo, useReducer, useState } from "react";
import { toCompanyKey } from "../../client/ids";
import { readCountryPrefix } from "../../feed/names/country-prefix";
import type { Resolution } from "../../feed/resolutions";
import { type FoundCompany, readFound } from "../company-search";
import { forgetName } from "../name-company";
import { usePane } from "../pane";
import { useLastKnown } from "../query";
import { Hint } from "../typography";

const useStyles = makeStyles({
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS, marginTop: tokens.spacingVerticalXS },
});

/** The company that a name means in this workbook, the one that the index gives for it by now, and the way back. */
export function Resolved({ resolution }: { resolution: Resolution }) {
  const { session, texts, open, notify } = usePane();
  const { ofProvenance, ofPicker } = texts;
  const styles = useStyles();
  const { name, country, companyId, companyName } = resolution;
  const other = useOther(resolution);
  const named = { name, country };
  const forget = () => {
    forgetName(session, named);
    notify({ intent: "success", text: ofPicker.forgotten(name) });
  };
  return (
    <div>
      <Hint block>{ofProvenance.resolved(name, companyName, companyId)}</Hint>
      <div role="status">{other !== null && <Hint block>{ofProvenance.otherResolved(other.name)}</Hint>}</div>
      <div className={styles.actions}>
        <Button size="small" onClick={() => open("find", { name, named })}>
          {ofPicker.chooseOther}
        </Button>
        <Button size="small" onClick={forget}>
          {ofPicker.forget}
        </Button>
      </div>
    </div>
  );
}

/** More would push the form out of sight. */
const MOST_NAMES = 5;

/** What names in a field mean in this workbook. */
export function ResolvedNames({ names }: { names: readonly string[] }) {
  const { feed, settings } = usePane().session;
  const [, look] = useReducer((looks: number) => looks + 1, 0);
  useEffect(() => feed.resolutions.onChange(look), [feed]);
  return names.slice(0, MOST_NAMES).map((name) => {
    const resolution = feed.resolutions.find({ name, country: settings.country });
    return resolution && <Resolved key={name} resolution={resolution} />;
  });
}

/** The company that an index at hand gives for a name, where it is another than the workbook's; null otherwise. */
function useOther({ name, country, companyId }: Resolution): FoundCompany | null {
  const { session, texts } = usePane();
  const { names, nameIndexes } = session.feed;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const receive = (held: unknown) => isCurrent && setHeld(held !== null);
    nameIndexes.find(readCountryPrefix(name, country).country).then(receive, () => {}); // the notice can wait
    return () => {
      isCurrent = false;
    };
  }, [nameIndexes, name, country]);
  const query = useMemo(() => (isHeld ? names.query(name, country, "exact") : null), [names, name, country, isHeld]);
  const known = useLastKnown(query);
  if (known?.query !== query || known?.state.status !== "answered") return null;
  const found = known.state.answer.value.rows.flatMap((row) => readFound(row, texts.language) ?? []);
  const isSame = ({ id }: FoundCompany) => toCompanyKey(id) === toCompanyKey(companyId);
  return found.some(isSame) ? null : (found[0] ?? null);
}
