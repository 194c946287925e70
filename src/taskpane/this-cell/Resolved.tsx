import { Button } from "@fluentui/react-components";
import { useCallback, useEffect, useMemo, useReducer } from "react";
import { mayBeNumber, toCompanyKey } from "../../client/ids";
import { readCountryPrefix } from "../../feed/names/country-prefix";
import type { NameSource } from "../../feed/names/rows";
import type { Resolution } from "../../feed/resolutions";
import { type FoundCompany, readFound, useNameLanguage } from "../company-search";
import { Hint, Row, useLook } from "../layout";
import { nameCompany } from "../named-companies";
import { usePane } from "../pane";
import { useLastKnown, useLoaded } from "../query";

/** The company that a name means in this workbook, if any, the one that the index gives for it by now, and the way back. */
export function Resolved({ resolution }: { resolution: Resolution }) {
  const { session, texts, open, notify } = usePane();
  const { ofProvenance, ofPicker } = texts;
  const { name, country, companyId, companyName, family } = resolution;
  const indexed = useIndexed(resolution);
  const isNobody = companyId === "";
  const isOther = typeof indexed !== "string" && !isNobody && !hasCompany(indexed, companyId);
  const other = isOther ? (indexed[0] ?? null) : null;
  const named = { name, country };
  const forget = () => {
    nameCompany(session, named, null);
    notify({ intent: "success", text: ofPicker.forgotten(name) });
  };
  return (
    <div>
      <Hint block>
        {isNobody ? ofProvenance.resolvedNone(name) : ofProvenance.resolved(name, companyName, companyId)}
        {family !== undefined && ofProvenance.resolvedAlone}
      </Hint>
      <div role="status">{other !== null && <Hint block>{ofProvenance.otherResolved(other.name)}</Hint>}</div>
      <Row className={useLook().aboveXS}>
        <Button size="small" onClick={() => open("find", { name, named })}>
          {ofPicker.chooseOther}
        </Button>
        {isChoice(resolution, indexed) && (
          <Button size="small" onClick={forget}>
            {ofPicker.forget}
          </Button>
        )}
      </Row>
    </div>
  );
}

/** More would push the form out of sight. */
const MOST_NAMES = 5;

/** What names in a field mean in this workbook. */
export function ResolvedNames({ names, needs }: { names: readonly string[]; needs: NameSource }) {
  const { feed, settings } = usePane().session;
  const [, look] = useReducer((looks: number) => looks + 1, 0);
  useEffect(() => feed.resolutions.onChange(look), [feed]);
  return names.slice(0, MOST_NAMES).map((name) => {
    const resolution = feed.resolutions.find({ name, country: settings.country }, needs);
    return resolution && <Resolved key={name} resolution={resolution} />;
  });
}

/** What an index at hand gives for a text; "unknown" where none tells, "pending" until one has been looked for. */
type Indexed = readonly FoundCompany[] | "unknown" | "pending";

/** Whether a name would mean anything else once it is forgotten: a ticker or a name of one company means it again. */
function isChoice({ name, country, companyId }: Resolution, indexed: Indexed): boolean {
  if (indexed === "pending") return false;
  if (indexed === "unknown") return !mayBeNumber(readCountryPrefix(name, country).text);
  return indexed.length !== 1 || !hasCompany(indexed, companyId);
}

const hasCompany = (companies: readonly FoundCompany[], companyId: string): boolean =>
  companies.some(({ id }) => toCompanyKey(id) === toCompanyKey(companyId));

/** The companies that have a name or ticker. */
function useIndexed({ name, country, family }: Resolution): Indexed {
  const { session } = usePane();
  const language = useNameLanguage();
  const { names, nameIndexes } = session.feed;
  const find = useCallback(
    () => nameIndexes.find(readCountryPrefix(name, country).country).then(Boolean, () => false),
    [nameIndexes, name, country],
  );
  const isHeld = useLoaded(find);
  const query = useMemo(
    () => (isHeld ? names.query(name, country, "exact", family) : null),
    [names, name, country, family, isHeld],
  );
  const known = useLastKnown(query);
  if (isHeld === false) return "unknown";
  if (query === null || known?.query !== query || known.state.status === "pending") return "pending";
  if (known.state.status !== "answered") return "unknown";
  return known.state.answer.value.rows.flatMap((row) => readFound(row, language) ?? []);
}
