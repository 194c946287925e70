import { useEffect, useState } from "react";
import { readStored, storeLater } from "../file-store";
import { usePane } from "../pane";
import type { Texts } from "../texts";
import { Hint } from "../typography";

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
export function Ended() {
  const { language } = usePane().texts;
  const [ended] = useState(() => Object.entries(ENDED).filter(([name]) => readStored(name) != null));
  useEffect(() => {
    for (const [name] of ended) storeLater(name, () => undefined);
  }, [ended]);
  return ended.map(([name, texts]) => <Hint key={name}>{texts[language]}</Hint>);
}
