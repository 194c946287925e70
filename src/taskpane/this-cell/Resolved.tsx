import { Button } from "@fluentui/react-components";
import { useEffect, useMemo, useState } from "react";
import { toCompanyKey } from "../../client/ids";
import { readCountryPrefix } from "../../feed/names/country-prefix";
import type { Resolution } from "../../feed/resolutions";
import { type FoundCompany, readFound } from "../company-search";
import { usePane } from "../pane";
import { useLastKnown } from "../query";
import { Hint } from "../typography";

/** The company that a name means in this workbook, and the one that the index gives for it by now. */
export function Resolved({ resolution }: { resolution: Resolution }) {
  const { texts, open } = usePane();
  const { ofProvenance, ofPicker } = texts;
  const { name, country, companyId, companyName } = resolution;
  const other = useOther(resolution);
  return (
    <>
      <Hint block>{ofProvenance.resolved(name, companyName, companyId)}</Hint>
      {other !== null && (
        <div role="status">
          <Hint block>{ofProvenance.otherResolved(other.name)}</Hint>
          <Button size="small" onClick={() => open("find", { name, named: { name, country } })}>
            {ofPicker.chooseInFind}
          </Button>
        </div>
      )}
    </>
  );
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
