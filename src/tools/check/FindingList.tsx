import { Button, makeStyles, Select, tokens } from "@fluentui/react-components";
import { useMemo, useState } from "react";
import { FoldedList, LongList } from "../../taskpane/LongList";
import { Hint } from "../../taskpane/layout";
import { usePane } from "../../taskpane/pane";
import { FindingLine } from "./FindingLine";
import { type Finding, GRAVITIES, RULE_IDS } from "./finding";
import { type CheckedWorkbook, useDismissals } from "./use-check";
import { toCheckTexts, useInsertReport } from "./wording";

const useStyles = makeStyles({
  filters: {
    display: "grid",
    gridTemplateColumns: "repeat(3, minmax(0, 1fr))",
    gap: tokens.spacingHorizontalS,
    "& > *": { minWidth: 0 },
  },
});

/** What each filter allows; empty for all. */
interface Filters {
  rule: string;
  sheet: string;
  gravity: string;
}

/** Of a finding with a sentence of three rows and two facts, in pixels. */
const LINE_HEIGHT = 170;

/** The findings with their filters, those that are dismissed below, and their report. */
export function FindingList({ checked, recheck }: { checked: CheckedWorkbook; recheck: () => void }) {
  const { texts } = usePane();
  const words = toCheckTexts(texts);
  const { list, dismiss, restore } = useDismissals();
  const [filters, setFilters] = useState<Filters>({ rule: "", sheet: "", gravity: "" });
  const insert = useInsertReport();
  const { findings, formulas, figures } = checked;
  const byKey = useMemo(() => new Map(list.map((dismissal) => [dismissal.key, dismissal])), [list]);
  const open = useMemo(() => findings.filter(({ key }) => !byKey.has(key)), [findings, byKey]);
  const dismissed = findings.filter(({ key }) => byKey.has(key));
  const shown = useMemo(() => open.filter((finding) => isFitting(finding, filters)), [open, filters]);
  return (
    <>
      {open.length > 0 && <FilterRow findings={open} filters={filters} choose={setFilters} />}
      {open.length > 0 && shown.length === 0 && <Hint>{words.noMatch}</Hint>}
      {shown.length > 0 && (
        <LongList label={words.list} items={shown} toKey={toKey} rowHeight={LINE_HEIGHT}>
          {(finding) => (
            <FindingLine finding={finding} dismiss={(reason) => dismiss(finding.key, reason)} recheck={recheck} />
          )}
        </LongList>
      )}
      {dismissed.length > 0 && (
        <FoldedList
          name={words.dismissed(dismissed.length)}
          isOpen={false}
          label={words.dismissed(dismissed.length)}
          items={dismissed}
          toKey={toKey}
          rowHeight={LINE_HEIGHT}
        >
          {(finding) => (
            <FindingLine
              finding={finding}
              dismissal={byKey.get(finding.key)}
              restore={() => restore(finding.key)}
              recheck={recheck}
            />
          )}
        </FoldedList>
      )}
      <div>
        <Button size="small" onClick={() => insert(findings, list, words.found(findings.length, formulas, figures))}>
          {words.report}
        </Button>
      </div>
    </>
  );
}

/** Findings of one formula may share a key. */
const toKey = ({ key, place }: Finding) => `${key} ${place.sheet}!${place.address}`;

const isFitting = ({ rule, place, gravity }: Finding, filters: Filters): boolean =>
  (filters.rule === "" || filters.rule === rule) &&
  (filters.sheet === "" || filters.sheet === place.sheet) &&
  (filters.gravity === "" || filters.gravity === gravity);

/** How many findings each filter's values have. */
function toCounts(findings: readonly Finding[]): Record<keyof Filters, Map<string, number>> {
  const counts = {
    rule: new Map<string, number>(),
    sheet: new Map<string, number>(),
    gravity: new Map<string, number>(),
  };
  for (const { rule, place, gravity } of findings) {
    const own: Filters = { rule, sheet: place.sheet, gravity };
    for (const name of FILTERS) counts[name].set(own[name], (counts[name].get(own[name]) ?? 0) + 1);
  }
  return counts;
}

const FILTERS = ["rule", "sheet", "gravity"] as const;

interface FilterRowProps {
  findings: readonly Finding[];
  filters: Filters;
  choose: (filters: Filters) => void;
}

function FilterRow({ findings, filters, choose }: FilterRowProps) {
  const { texts } = usePane();
  const words = toCheckTexts(texts);
  const styles = useStyles();
  const counts = useMemo(() => toCounts(findings), [findings]);
  const options = {
    rule: RULE_IDS.map((id) => [id, words.rules[id].title] as const),
    sheet: [...counts.sheet.keys()].map((sheet) => [sheet, sheet] as const),
    gravity: GRAVITIES.map((gravity) => [gravity, words.gravities[gravity]] as const),
  };
  const count = (name: keyof Filters, value: string) => counts[name].get(value) ?? 0;
  return (
    <div className={styles.filters}>
      {FILTERS.map((name) => (
        <Select
          key={name}
          size="small"
          aria-label={words.filters[name]}
          value={filters[name]}
          onChange={(_, { value }) => choose({ ...filters, [name]: value })}
        >
          <option value="">{words.filters[name]}</option>
          {options[name]
            .filter(([value]) => value === filters[name] || count(name, value) > 0)
            .map(([value, label]) => (
              <option
                key={value}
                value={value}
              >{`${label} (${count(name, value).toLocaleString(texts.language)})`}</option>
            ))}
        </Select>
      ))}
    </div>
  );
}
