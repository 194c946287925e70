import { Field, Link, makeStyles, Select } from "@fluentui/react-components";
import { Hint, useLook } from "../layout";
import { usePane, useSeparators } from "../pane";
import type { Catalogue, FormulaInfo } from "./catalogue";

const useStyles = makeStyles({
  // Otherwise it would be as wide as its longest option.
  choice: { minWidth: 0, "& select": { width: "100%", minWidth: 0, textOverflow: "ellipsis" } },
});

interface FormulaChoiceProps {
  catalogue: Catalogue;
  info: FormulaInfo;
  choose: (name: string) => void;
}

/** The choice of a formula, by family of data. */
export function FormulaChoice({ catalogue, info, choose }: FormulaChoiceProps) {
  const styles = useStyles();
  const look = useLook();
  const { data, help } = usePane().texts.ofBuild;
  const { withSeparators } = useSeparators();
  return (
    <div>
      <Field label={data}>
        <Select className={styles.choice} value={info.name} onChange={(_, { value }) => choose(value)}>
          {listFamilies(catalogue).map(([family, formulas]) => (
            <optgroup key={family} label={family}>
              {formulas.map(({ name, gives }) => (
                <option key={name} value={name}>
                  {`${gives} (${name})`}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <Hint block className={look.aboveXXS}>
        {info.description}{" "}
        <Link inline href={withSeparators(info.help)} target="_blank" rel="noreferrer">
          {help(info.name)}
        </Link>
      </Hint>
    </div>
  );
}

/** The formulas by family. */
function listFamilies(catalogue: Catalogue): [family: string, formulas: FormulaInfo[]][] {
  const formulas = [...catalogue.values()];
  const families = [...new Set(formulas.map(({ family }) => family))];
  return families.map((family) => [family, formulas.filter((each) => each.family === family)]);
}
