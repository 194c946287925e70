import { makeStyles, tokens } from "@fluentui/react-components";
import { Fold } from "../Fold";
import { usePane } from "../pane";
import { Argument } from "./Argument";
import type { FormulaInfo, Parameter } from "./catalogue";
import type { Draft } from "./draft";

const useStyles = makeStyles({
  fields: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
});

interface ArgumentsProps {
  info: FormulaInfo;
  draft: Draft;
  change: (argument: string, written: string) => void;
}

/** Arguments that are asked for at once although they may be left out: few formulas are wanted without. */
const AT_HAND = ["field", "years", "metrics", "layout", "top"];

/** The fields of a formula's arguments; those that are seldom wanted are folded away. */
export function Arguments({ info, draft, change }: ArgumentsProps) {
  const styles = useStyles();
  const { more } = usePane().texts.ofBuild;
  const isAtHand = ({ name, isRequired }: Parameter) => isRequired || AT_HAND.includes(name);
  const show = (parameter: Parameter) => (
    <Argument
      key={`${info.name} ${parameter.name}`}
      parameter={parameter}
      written={draft.written[parameter.name] ?? ""}
      change={(written) => change(parameter.name, written)}
    />
  );
  const folded = info.parameters.filter((parameter) => !isAtHand(parameter));
  const isOpen = folded.some(({ name }) => (draft.written[name] ?? "") !== "");
  return (
    <div className={styles.fields}>
      {info.parameters.filter(isAtHand).map(show)}
      {folded.length > 0 && (
        <Fold isPlain title={more} isOpen={isOpen}>
          <div className={styles.fields}>{folded.map(show)}</div>
        </Fold>
      )}
    </div>
  );
}
