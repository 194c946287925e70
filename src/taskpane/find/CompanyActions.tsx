import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { type ReactNode, useId } from "react";
import type { CellContent } from "../../contract/workbook";
import type { TreeNode } from "../../feed/taxonomies/tree";
import { type FoundCompany, toIdElement } from "../company-search";
import { toFigureFormat } from "../figure-format";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { useInsert } from "../insert";
import { Hint, Row, Stack } from "../layout";
import type { NoticeEnd } from "../notice-ends";
import { useCopy, usePane } from "../pane";

const useStyles = makeStyles({
  group: { border: 0, margin: 0, padding: 0, minWidth: 0 },
  label: {
    padding: 0,
    marginBottom: tokens.spacingVerticalXXS,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
  },
});

interface CompanyActionsProps {
  company: FoundCompany;
  /** Ends a notice about the company once another one is opened. */
  untilOther: NoticeEnd;
  /** Why a family cannot serve it, in words; null where it may. */
  lacks: { financials: string | null; classification: string | null };
}

/** The actions for a company: insert its data, or open it in another part. */
export function CompanyActions({ company, untilOther, lacks }: CompanyActionsProps) {
  const { session, texts, open } = usePane();
  const { ofFind } = texts;
  const id = useId();
  const insert = useInsert(untilOther);
  const copy = useCopy();
  const put = (...row: CellContent[]) => void insert({ cells: [row] });
  const { id: companyId, name, country } = company;
  const putPeers = () => put({ formula: toPeers(companyId, country === session.settings.country ? null : country) });
  const financials = { lack: lacks.financials, lackId: `${id}-financials` };
  const classification = { lack: lacks.classification, lackId: `${id}-classification` };
  return (
    <Stack>
      <Group label={ofFind.insert}>
        <Do isFirst {...financials} label={ofFind.insertRevenue} act={() => put(toRevenue(companyId))} />
        <Do label={ofFind.insertId} act={() => put(companyId)} />
        <Do label={ofFind.insertRow} act={() => put(...toRow(company))} />
        <Do {...classification} label={ofFind.insertPeers} act={putPeers} />
      </Group>
      {[financials, classification].map(
        ({ lack, lackId }, place) =>
          lack !== null && (
            <Hint block key={lackId} id={lackId}>
              {ofFind.lack(place === 0 ? ofFind.insertRevenue : ofFind.insertPeers, lack)}
            </Hint>
          ),
      )}
      <Group label={ofFind.goOn}>
        <Do label={ofFind.build} act={() => open("build", { company: { id: companyId, name } })} />
        <Do {...financials} label={ofFind.statement} act={() => open("sheets", { company: { id: companyId, name } })} />
        <Do label={ofFind.copyId} act={() => void copy(companyId, document.getElementById(toIdElement(companyId)))} />
      </Group>
    </Stack>
  );
}

interface DoProps {
  label: string;
  act: () => void;
  isFirst?: boolean;
  /** Why it is unavailable; default it is available. */
  lack?: string | null;
  /** Id of the element that says so. */
  lackId?: string;
}

function Do({ label, act, isFirst = false, lack = null, lackId }: DoProps) {
  return (
    <Button
      size="small"
      appearance={isFirst ? "primary" : "secondary"}
      disabledFocusable={lack !== null}
      aria-describedby={lack === null ? undefined : lackId}
      onClick={act}
    >
      {label}
    </Button>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const styles = useStyles();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{label}</legend>
      <Row gap="XS">{children}</Row>
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
