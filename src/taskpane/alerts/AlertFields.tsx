import { makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { MadeSheet } from "../../session/settings";
import { Fold } from "../Fold";
import { usePane } from "../pane";
import { Pick } from "../sheets/Pick";
import { alertsTexts } from "../texts/alerts";
import { Hint } from "../typography";
import { ALERT_KINDS, type AlertRule, toSheetKey } from "./alert";
import { readAlertStore } from "./store";
import { useStoredAlerts } from "./use-stored-alerts";

const useStyles = makeStyles({
  fields: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalS },
});

const AMOUNTS: Readonly<Record<AlertRule["kind"], readonly number[]>> = {
  enters: [10, 25, 50, 100],
  grows: [10, 30, 50, 100],
  falls: [3, 5, 10, 25, 50],
};

/** The rules of a sheet, all off at first. */
export function AlertFields({ made }: { made: MadeSheet }) {
  const styles = useStyles();
  const { language } = usePane().texts;
  const { title, on, hint, labels, off, amounts } = alertsTexts[language];
  const store = readAlertStore();
  const { rules } = useSyncExternalStore(store.subscribe, store.state);
  const stored = useStoredAlerts();
  const key = toSheetKey(made);
  const own = rules[key] ?? [];
  const choose = (kind: AlertRule["kind"], amount: number) => {
    const others = own.filter((rule) => rule.kind !== kind);
    const chosen = amount === 0 ? others : [...others, { kind, amount }];
    void stored({ rules: { ...rules, [key]: chosen } });
  };
  return (
    <Fold title={title} summary={on(own.length)} isPlain>
      <div className={styles.fields}>
        {ALERT_KINDS.map((kind) => (
          <Pick
            key={kind}
            label={labels[kind]}
            value={own.find((rule) => rule.kind === kind)?.amount ?? 0}
            values={[0, ...AMOUNTS[kind]]}
            name={(amount) => (amount === 0 ? off : amounts[kind](amount))}
            onPick={(amount) => choose(kind, amount)}
          />
        ))}
        <Hint>{hint(made.template === "rotation")}</Hint>
      </div>
    </Fold>
  );
}
