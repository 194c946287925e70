import { Caption1, Field, Link, makeStyles, Select, tokens } from "@fluentui/react-components";
import { usePane } from "../pane";
import type { Catalogue, FormulaInfo } from "./catalogue";
import { listFamilies } from "./families";

const useStyles = makeStyles({
  // Else it would be as wide as its longest option.
  choice: { minWidth: 0, "& select": { width: "100%", minWidth: 0, textOverflow: "ellipsis" } },
  description: { color: tokens.colorNeutralForeground3, marginTop: tokens.spacingVerticalXXS },
});

interface FormulaChoiceProps {
  catalogue: Catalogue;
  info: FormulaInfo;
  choose: (name: string) => void;
}

/** Which data is wanted: the formula that gives it, by family. */
export function FormulaChoice({ catalogue, info, choose }: FormulaChoiceProps) {
  const styles = useStyles();
  const { data, families, gives, help } = usePane().texts.ofBuild;
  return (
    <div>
      <Field label={data}>
        <Select className={styles.choice} value={info.name} onChange={(_, { value }) => choose(value)}>
          {listFamilies(catalogue).map(({ family, formulas }) => (
            <optgroup key={family} label={families[family]}>
              {formulas.map(({ name }) => (
                <option key={name} value={name}>
                  {gives[name] === undefined ? name : `${gives[name]} (${name})`}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <Caption1 block className={styles.description}>
        {info.description}{" "}
        <Link inline href={info.help} target="_blank" rel="noreferrer">
          {help(info.name)}
        </Link>
      </Caption1>
    </div>
  );
}
