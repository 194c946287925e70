import { Button, Input, Link, makeStyles, mergeClasses, Select, tokens } from "@fluentui/react-components";
import { type FormEvent, useMemo, useState } from "react";
import type { WorkbookError } from "../../contract/workbook";
import type { Dismissal } from "../../session/settings";
import { showPlace } from "../../taskpane/addresses";
import { findCells } from "../../taskpane/cells";
import { listStale, refresh } from "../../taskpane/commands/refresh";
import { FoldedList, LongList } from "../../taskpane/LongList";
import { Hint, PlainList, Row, Stack, useLook } from "../../taskpane/layout";
import { attempt, type Desk, usePane } from "../../taskpane/pane";
import { type Finding, GRAVITIES } from "./finding";
import { RULE_IDS, type RuleId } from "./texts";
import { type CheckedWorkbook, useDismissals } from "./use-check";
import { toCheckTexts, toEvidenceLine, toSentence, useInsertReport } from "./wording";

const useStyles = makeStyles({
  filters: { display: "grid", gridTemplateColumns: "repeat(3, minmax(0, 1fr))", gap: tokens.spacingHorizontalS },
  filter: { minWidth: 0 },
  line: { padding: `${tokens.spacingVerticalS} 0`, borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
  warning: { color: tokens.colorStatusWarningForeground3 },
  link: { fontSize: "inherit" },
  facts: { paddingInlineStart: tokens.spacingHorizontalS },
  reason: { flex: "1 1 100%" },
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
          className={styles.filter}
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

interface FindingLineProps {
  finding: Finding;
  /** Where it is dismissed; default not. */
  dismissal?: Dismissal | undefined;
  dismiss?: ((reason: string) => void) | undefined;
  restore?: (() => void) | undefined;
  /** Checks again, once what it shows may have changed. */
  recheck: () => void;
}

/** A finding: its cell, what is wrong, the facts of both cells, and what can be done. */
export function FindingLine({ finding, dismissal, dismiss, restore, recheck }: FindingLineProps) {
  const { session, texts } = usePane();
  const words = toCheckTexts(texts);
  const styles = useStyles();
  const look = useLook();
  const { rule, gravity, place, count, evidence } = finding;
  const colour = { error: look.bad, warning: styles.warning, note: look.muted }[gravity];
  return (
    <Stack gap="XXS" className={mergeClasses(styles.line, look.small, look.breaking)}>
      <Row gap="XS" align="baseline">
        <span className={mergeClasses(look.strong, colour)}>{words.gravities[gravity]}</span>
        <span className={look.strong}>{words.rules[rule].title}</span>
        <Go place={place} />
        {count > 1 && <span className={look.muted}>{words.cells(count)}</span>}
      </Row>
      <div>{toSentence(finding, texts)}</div>
      <PlainList gap="XXS" className={mergeClasses(styles.facts, look.second)}>
        {evidence.map((each) => (
          <li key={showPlace(each.place)}>
            <Go place={each.place} /> {toEvidenceLine(each, texts, session.ports.nowMs())}
          </li>
        ))}
      </PlainList>
      {dismissal !== undefined && <div>{dismissal.reason || words.noReason}</div>}
      <Actions {...{ finding, dismiss, restore, recheck }} />
    </Stack>
  );
}

/** Selects a cell. */
function Go({ place }: { place: Finding["place"] }) {
  const pane = usePane();
  const styles = useStyles();
  const words = toCheckTexts(pane.texts);
  const go = () =>
    void attempt(pane, async ({ workbook, notify }) => {
      try {
        await workbook.show(place);
      } catch (error) {
        if ((error as Partial<WorkbookError>).fault !== "refused") throw error;
        notify({ intent: "info", text: words.hidden(place.sheet) });
      }
    });
  return (
    <Link
      as="button"
      className={mergeClasses(styles.link, useLook().numbers)}
      title={words.goTo(showPlace(place))}
      onClick={go}
    >
      {showPlace(place)}
    </Link>
  );
}

/** Rules whose finding may end once its figures are refreshed, which edits nothing. */
const REFRESHING: ReadonlySet<RuleId> = new Set(["twoValues", "staleBesideFresh"]);

/** Refreshes the formulas of a finding's cells; where an old one stands beside new ones, all that are stale. */
export async function refreshFigures(desk: Desk, { rule, evidence }: Finding): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { pairs } = await findCells(workbook, session.calls.list(), "workbook");
  const places = new Set(evidence.map(({ place }) => showPlace(place)));
  const calls = [...new Set(pairs.filter(({ cell }) => places.has(showPlace(cell))).map(({ call }) => call))];
  const isOfStale = rule === "staleBesideFresh" || calls.length === 0;
  const wanted = isOfStale ? listStale(session) : calls;
  if (wanted.length > 0) await refresh(desk, { calls: wanted });
  else notify({ intent: "info", text: toCheckTexts(texts).nothingStale });
}

/** What a person can do about a finding. */
function Actions({ finding, dismiss, restore, recheck }: Omit<FindingLineProps, "dismissal">) {
  const pane = usePane();
  const words = toCheckTexts(pane.texts);
  const styles = useStyles();
  const [reason, setReason] = useState<string | null>(null);
  const refreshBoth = () => void attempt(pane, () => refreshFigures(pane, finding)).then(recheck);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    dismiss?.(reason ?? "");
  };
  if (reason === null) {
    return (
      <Row gap="XS">
        {restore !== undefined && <Action label={words.restore} act={restore} />}
        {restore === undefined && REFRESHING.has(finding.rule) && <Action label={words.refresh} act={refreshBoth} />}
        {dismiss !== undefined && <Action label={words.dismiss} act={() => setReason("")} />}
      </Row>
    );
  }
  return (
    <Row as="form" gap="XS" onSubmit={submit}>
      <Input
        size="small"
        className={styles.reason}
        aria-label={words.reason}
        placeholder={words.reason}
        value={reason}
        onChange={(_, { value }) => setReason(value)}
      />
      <Button size="small" type="submit">
        {words.keep}
      </Button>
      <Action label={words.back} act={() => setReason(null)} />
    </Row>
  );
}

function Action({ label, act }: { label: string; act: () => void }) {
  return (
    <Button size="small" onClick={act}>
      {label}
    </Button>
  );
}
