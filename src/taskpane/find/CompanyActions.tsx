import { Button, makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import type { CellContent } from "../../contract/workbook";
import type { TreeNode } from "../../feed/taxonomies/tree";
import { type FoundCompany, toIdElement } from "../company-search";
import { toFigureFormat } from "../figure-format";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { useInsert } from "../insert";
import { usePane } from "../pane";
import { useCopy } from "../use-copy";

const useStyles = makeStyles({
  actions: { display: "grid", rowGap: tokens.spacingVerticalS },
  group: { border: 0, margin: 0, padding: 0, minWidth: 0 },
  label: {
    padding: 0,
    marginBottom: tokens.spacingVerticalXXS,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
  },
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS },
});

interface CompanyActionsProps {
  company: FoundCompany;
  /** Whether there may be financials. */
  hasFinancials: boolean;
  /** Whether it may be classified. */
  hasPeers: boolean;
}

/** The actions for a company: insert its data, or open it in another part. */
export function CompanyActions({ company, hasFinancials, hasPeers }: CompanyActionsProps) {
  const { session, texts, open } = usePane();
  const { ofFind } = texts;
  const styles = useStyles();
  const insert = useInsert();
  const copy = useCopy();
  const put = (...row: CellContent[]) => void insert({ cells: [row] });
  const { id, name, country } = company;
  const putPeers = () => put({ formula: toPeers(id, country === session.settings.country ? null : country) });
  return (
    <div className={styles.actions}>
      <Group label={ofFind.insert}>
        <Do isFirst isOff={!hasFinancials} label={ofFind.insertRevenue} act={() => put(toRevenue(id))} />
        <Do label={ofFind.insertId} act={() => put(id)} />
        <Do label={ofFind.insertRow} act={() => put(...toRow(company))} />
        <Do isOff={!hasPeers} label={ofFind.insertPeers} act={putPeers} />
      </Group>
      <Group label={ofFind.goOn}>
        <Do label={ofFind.build} act={() => open("build", { company: { id, name } })} />
        <Do isOff={!hasFinancials} label={ofFind.statement} act={() => open("sheets", { company: { id, name } })} />
        <Do label={ofFind.copyId} act={() => void copy(id, document.getElementById(toIdElement(id)))} />
      </Group>
    </div>
  );
}

interface DoProps {
  label: string;
  act: () => void;
  isFirst?: boolean;
  /** Whether the action is unavailable. */
  isOff?: boolean;
}

function Do({ label, act, isFirst = false, isOff = false }: DoProps) {
  return (
    <Button size="small" appearance={isFirst ? "primary" : "secondary"} disabledFocusable={isOff} onClick={act}>
      {label}
    </Button>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const styles = useStyles();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.buttons}>{children}</div>
    </fieldset>
  );
}

/** Values, not formulas: id, names, country, ticker and registration number, each in its own column. */
const toRow = ({ id, name, otherName, country, ticker, registrationNumber }: FoundCompany): CellContent[] => [
  id,
  name,
  otherName,
  country,
  ticker,
  registrationNumber,
];

/** Writes the company's revenue of its latest year. */
export function toRevenue(companyId: string): { formula: string; format: string | undefined } {
  const call = toCall("FINANCIAL", [companyId, "FY0", "Revenue"]);
  return { formula: toFormulaText(call), format: toFigureFormat(call) };
}

/**
 * Writes the companies of a company's own industry.
 *
 * @param country where they are; null for the country of the settings
 */
export const toPeers = (companyId: string, country: string | null): string =>
  toText("PEERS", country === null ? [companyId] : [companyId, "industry", country]);

/** Writes the companies below a node of the taxonomy, whose level is written since levels may share an id. */
export const toConstituents = ({ level, id }: Pick<TreeNode, "level" | "id">, country: string): string =>
  toText("CONSTITUENTS", [`${level}:${id}`, country]);

const toText = (name: string, given: readonly string[]): string => toFormulaText(toCall(name, given));

const toCall = (name: string, given: readonly string[]): FormulaCall => ({
  name,
  given: given.map((value) => ({ kind: "text", value })),
});
