import { makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { TOOLS } from "../tools";
import { useSnapshot } from "./activity/snapshot";
import { Attention } from "./changes/Attention";
import { Formulas } from "./changes/Formulas";
import { LastRefresh } from "./changes/LastRefresh";
import { Summary } from "./changes/Summary";
import { ToolSection } from "./changes/ToolSection";
import { readStored, storeLater } from "./file-store";
import { Hint } from "./layout";
import { type Handoffs, usePane } from "./pane";
import type { Texts } from "./texts";

const useStyles = makeStyles({ part: { display: "grid", rowGap: tokens.spacingVerticalL, minWidth: 0 } });

/** What the last refresh changed, and the live formulas with their states. */
export function Changes({ handoff }: { handoff?: Handoffs["changes"] | undefined }) {
  const { session, workbook } = usePane();
  const styles = useStyles();
  const part = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, part, workbook);
  return (
    <div ref={part} className={styles.part}>
      <Ended />
      {snapshot === null ? (
        <Spinner size="small" />
      ) : (
        <>
          <LastRefresh snapshot={snapshot} />
          <Summary snapshot={snapshot} />
          <Attention snapshot={snapshot} />
          <Formulas snapshot={snapshot} />
        </>
      )}
      {TOOLS.changes.map((tool) => (
        <ToolSection key={tool.id} tool={tool} handoff={handoff} />
      ))}
    </div>
  );
}

/** Features that have ended, by the name under which a workbook stores their state: what to use instead. */
const ENDED: Readonly<Record<string, Readonly<Record<Texts["language"], string>>>> = {
  "feed-alerts": {
    en: "Alerts on sheets have ended, and the rules in this workbook with them. League table and Movers in Sheets say what moved.",
    ja: "シートのアラート機能は終了し、このブックのルールは使われません。順位の変動は、シートタブの「順位表」と「変動ランキング」で確認できます。",
  },
  "feed-adopted": {
    en: "This workbook no longer stores which typed numbers became formulas. To have a number again, type it over its formula.",
    ja: "数式に置き換えた入力済みの数値は、ブックに保存されなくなりました。数値に戻すには、数式のセルに入力し直してください。",
  },
};

/** Names what has ended and is stored in this workbook; the person's next decision removes it from the file. */
function Ended() {
  const { language } = usePane().texts;
  const [ended] = useState(() => Object.entries(ENDED).filter(([name]) => readStored(name) != null));
  useEffect(() => {
    for (const [name] of ended) storeLater(name, () => undefined);
  }, [ended]);
  return ended.map(([name, texts]) => <Hint key={name}>{texts[language]}</Hint>);
}
