import { makeStyles, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { toFormulaText } from "../formula-text";
import { useInsert } from "../insert";
import { usePane, useWish, type Wishes } from "../pane";
import { Arguments } from "./Arguments";
import type { Catalogue, FormulaInfo } from "./catalogue";
import { isGivenCell } from "./cells";
import { CompanyNamesContext, useMemory } from "./company-names";
import { type HeldPlace, toCall } from "./draft";
import { FormulaChoice } from "./FormulaChoice";
import { isHolding } from "./holding";
import { toLack } from "./lack";
import { Offer } from "./Offer";
import { Outcome } from "./Outcome";
import { Placing } from "./Placing";
import { useDraft } from "./use-draft";
import { useSelection } from "./use-selection";

const useStyles = makeStyles({
  form: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
});

interface BuilderProps {
  catalogue: Catalogue;
  wish: Wishes["build"] | undefined;
}

/** The form that a formula is built in. */
export function Builder({ catalogue, wish }: BuilderProps) {
  const styles = useStyles();
  const { workbook, texts } = usePane();
  const page = useRef<HTMLDivElement>(null);
  const names = useMemory();
  useWish(wish, (wanted) => "company" in wanted && names.remember(wanted.company));
  const { selection, look } = useSelection();
  const { draft, settle, choose, change, ...other } = useDraft(catalogue, wish, selection);
  const info = catalogue.get(draft.name) as FormulaInfo;
  const call = toCall(draft, info);
  const lack = toLack(info, call, texts.ofBuild);
  const insert = useInsert();
  const write = async (replaced: HeldPlace | null) => {
    const formula = toFormulaText(call);
    const isReplacing = replaced !== null && (await isHolding(workbook, replaced));
    const place = await insert({ cells: [[{ formula }]], ...(replaced && { at: replaced, isReplacing }) });
    if (place !== null) settle({ ...place, formula });
    look();
  };
  return (
    <CompanyNamesContext value={names}>
      <div ref={page} className={styles.form}>
        <Offer selection={selection} draft={draft} {...other} />
        <FormulaChoice catalogue={catalogue} info={info} choose={choose} />
        <Arguments info={info} draft={draft} change={change} />
        <Outcome page={page} call={call} lack={lack} sheet={draft.place?.sheet ?? selection?.sheet ?? null} />
        <Placing
          selection={selection}
          place={draft.place}
          isWhole={lack === null}
          reads={(place) => isGivenCell(call, place)}
          write={(replaced) => void write(replaced)}
        />
      </div>
    </CompanyNamesContext>
  );
}
