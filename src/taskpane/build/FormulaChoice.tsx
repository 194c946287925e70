import { Caption1, Field, Link, makeStyles, Select, tokens } from "@fluentui/react-components";
import { usePane } from "../pane";
import { useSeparators } from "../use-separators";
import type { Catalogue, FormulaInfo } from "./catalogue";

const useStyles = makeStyles({
  // Otherwise it would be as wide as its longest option.
  choice: { minWidth: 0, "& select": { width: "100%", minWidth: 0, textOverflow: "ellipsis" } },
  description: { color: tokens.colorNeutralForeground3, marginTop: tokens.spacingVerticalXXS },
});

interface FormulaChoiceProps {
  catalogue: Catalogue;
  info: FormulaInfo;
  choose: (name: string) => void;
}

/** The choice of a formula, by family of data. */
export function FormulaChoice({ catalogue, info, choose }: FormulaChoiceProps) {
  const styles = useStyles();
  const { data, families, gives, help } = usePane().texts.ofBuild;
  const { withSeparators } = useSeparators();
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
        <Link inline href={withSeparators(info.help)} target="_blank" rel="noreferrer">
          {help(info.name)}
        </Link>
      </Caption1>
    </div>
  );
}

const FAMILIES = {
  financials: ["FINANCIAL", "FINANCIALS"],
  companies: ["COMPANY", "COMPANIES", "COMPANY.FIND", "COMPANY.ID", "COMPANY.MATCH"],
  rankings: ["RANKING", "RANKING.PAGES", "RANKING.INDUSTRIES", "RANKING.TREND", "RANKING.MOVERS"],
  taxonomies: ["CLASSIFICATION", "CONSTITUENTS", "PEERS", "UNIVERSE", "TAXONOMY"],
} as const;

type FormulaFamily = keyof typeof FAMILIES | "addin";

/** Lists the formulas by family; one without a family is of the add-in itself. */
function listFamilies(catalogue: Catalogue): { family: FormulaFamily; formulas: FormulaInfo[] }[] {
  const left = new Map(catalogue);
  const families = Object.entries(FAMILIES).map(([family, names]) => {
    const formulas = names.flatMap((name) => catalogue.get(name) ?? []);
    for (const { name } of formulas) left.delete(name);
    return { family: family as FormulaFamily, formulas };
  });
  return [...families, { family: "addin" as const, formulas: [...left.values()] }];
}
