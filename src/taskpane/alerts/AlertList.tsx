import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useRef, useSyncExternalStore } from "react";
import { LongList } from "../LongList";
import { usePane } from "../pane";
import { toReasonText } from "../Reason";
import { alertsTexts } from "../texts/alerts";
import { Heading, Hint } from "../typography";
import type { Alert } from "./alert";
import { readAlertStore } from "./store";
import { type Unjudged, unjudged } from "./unjudged";
import { useStoredAlerts } from "./use-stored-alerts";

const useStyles = makeStyles({
  section: { display: "grid", rowGap: tokens.spacingVerticalXS, justifyItems: "stretch", minWidth: 0 },
  all: { justifySelf: "start" },
  line: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    columnGap: tokens.spacingHorizontalS,
    alignItems: "start",
    padding: `${tokens.spacingVerticalXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    overflowWrap: "anywhere",
  },
  failed: {
    padding: `${tokens.spacingVerticalXS} 0`,
    color: tokens.colorStatusWarningForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    overflowWrap: "anywhere",
  },
  name: { fontWeight: tokens.fontWeightSemibold },
});

/** Of a line whose texts take three rows, in pixels. */
const LINE_HEIGHT = 58;

/** The alerts that nobody has read, and what could not be judged; nothing where no rule is on and none is unread. */
export function AlertList() {
  const styles = useStyles();
  const { language } = usePane().texts;
  const texts = alertsTexts[language];
  const scroll = useRef(0);
  const store = readAlertStore();
  const { rules, alerts } = useSyncExternalStore(store.subscribe, store.state);
  const failed = useSyncExternalStore(unjudged.subscribe, unjudged.list);
  const stored = useStoredAlerts();
  const unread = alerts.filter(({ isRead }) => !isRead);
  const read = (which: readonly Alert[]) => {
    const chosen = new Set(which);
    void stored({ alerts: alerts.map((alert) => (chosen.has(alert) ? { ...alert, isRead: true } : alert)) });
  };
  if (unread.length === 0 && !Object.values(rules).some((all) => all.length > 0)) return null;
  return (
    <section className={styles.section} aria-label={texts.title}>
      <Heading isSmall>{texts.title}</Heading>
      <div role="status">
        <Hint>{unread.length === 0 ? texts.none : texts.unread(unread.length)}</Hint>
        {failed.map((each) => (
          <Failed key={each.sheet} failed={each} />
        ))}
      </div>
      {unread.length > 1 && (
        <Button className={styles.all} size="small" onClick={() => read(unread)}>
          {texts.readAll}
        </Button>
      )}
      {unread.length > 0 && (
        <LongList label={texts.title} items={unread} toKey={toKey} rowHeight={LINE_HEIGHT} scroll={scroll}>
          {(alert) => <Line alert={alert} read={() => read([alert])} />}
        </LongList>
      )}
    </section>
  );
}

const toKey = ({ sheet, ranking, kind, amount, code, name, first, former }: Alert) =>
  [sheet, ranking, kind, amount, code, name, first, former.first].join("|");

/** A sheet whose rules could not be judged, and why. */
function Failed({ failed: { sheetName, reason } }: { failed: Unjudged }) {
  const styles = useStyles();
  const { texts } = usePane();
  const { unjudged: toTitle, noFormula } = alertsTexts[texts.language];
  return (
    <div className={styles.failed}>
      <span className={styles.name}>{toTitle(sheetName)}</span>{" "}
      {reason === null ? noFormula : toReasonText(reason, texts)}
    </div>
  );
}

/** A change: the company, what happened, the values before and after, the period and the sheet. */
function Line({ alert, read }: { alert: Alert; read: () => void }) {
  const styles = useStyles();
  const { language } = usePane().texts;
  const texts = alertsTexts[language];
  const { name, code, kind, amount, before, after, first, last, sheetName } = alert;
  const show = (value: number | null) => value?.toLocaleString(language) ?? texts.unranked;
  return (
    <div className={styles.line}>
      <div>
        <span className={styles.name}>{name}</span> {code} {texts.told[kind](amount)}: {show(before)} → {show(after)}
        <Hint block>
          {first === last ? first : `${first} – ${last}`} · {sheetName}
        </Hint>
      </div>
      <Button size="small" aria-label={texts.readOne(name)} onClick={read}>
        {texts.read}
      </Button>
    </div>
  );
}
