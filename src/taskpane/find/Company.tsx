import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type ReactNode, useEffect, useId, useMemo, useRef } from "react";
import { hasCode } from "../../client/errors";
import type { CellContent } from "../../contract/workbook";
import type { State } from "../../feed/query-cache";
import type { TreeNode } from "../../feed/taxonomies/tree";
import { type FoundCompany, toIdElement } from "../company-search";
import { toFigureFormat } from "../figure-format";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { useInsert } from "../insert";
import { Hint, Row, Stack, useLook } from "../layout";
import type { NoticeEnd } from "../notice-ends";
import { useCopy, usePane } from "../pane";
import { useQuery } from "../query";
import type { Texts } from "../texts";
import { Figures, pickSeries } from "./Figures";
import { Listing, PrivateProfile, readListing, readProfile } from "./Profile";
import { Section } from "./Section";

const useStyles = makeStyles({
  id: { userSelect: "all" },
  name: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    outlineStyle: "none",
  },
  group: { border: 0, margin: 0, padding: 0, minWidth: 0 },
  label: {
    padding: 0,
    marginBottom: tokens.spacingVerticalXXS,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
  },
});

interface CompanyProps {
  company: FoundCompany;
  /** Ends a notice about the company once another one is opened. */
  untilOther: NoticeEnd;
  /** Makes a name in formulas mean the company; null for none. */
  use: Use | null;
}

/** The button that makes a name in formulas mean a company. */
export interface Use {
  /** The name. */
  text: string;
  /** Whether its formulas want figures. */
  needsFigures: boolean;
  act: () => void;
}

/** A company's data by family, and the actions that insert it into cells. */
export function Company({ company, untilOther, use }: CompanyProps) {
  const { texts } = usePane();
  const { ofFind } = texts;
  const look = useLook();
  const { financials, profile, classification } = useFamilies(company.id);
  const listing = (
    <Section
      title={ofFind.classification}
      family="taxonomies"
      {...classification}
      read={readListing}
      show={(read) => <Listing {...read} />}
    />
  );
  return (
    <Stack as="article" gap="M" className={look.breaking}>
      <Names company={company} />
      {use !== null && <UseButton {...use} isWithoutFigures={isAbsent(financials)} />}
      <CompanyActions
        company={company}
        untilOther={untilOther}
        lacks={{
          financials: toLack(financials, "financials", texts),
          classification: toLack(classification, "taxonomies", texts),
        }}
      />
      {!company.isPrivate && listing /* the present record comes first */}
      <Section
        title={ofFind.figures}
        family="financials"
        {...financials}
        read={pickSeries}
        show={(series) => <Figures series={series} />}
      />
      <Section
        title={ofFind.profile}
        family="companies"
        {...profile}
        read={readProfile}
        show={(read) => <PrivateProfile {...read} />}
      />
      {company.isPrivate && listing}
    </Stack>
  );
}

/** The queries of a company, one per family. */
function useFamilies(companyId: string) {
  const { feed } = usePane().session;
  const queries = useMemo(
    () => ({
      financials: feed.financials.query({ companyId }),
      profile: feed.companies.query(companyId),
      classification: feed.taxonomies.query({ companyId }),
    }),
    [feed, companyId],
  );
  return {
    financials: { query: queries.financials, state: useQuery(queries.financials) },
    profile: { query: queries.profile, state: useQuery(queries.profile) },
    classification: { query: queries.classification, state: useQuery(queries.classification) },
  };
}

/** Makes the name mean the company, unless its formulas would have no value by that. */
function UseButton({ text, needsFigures, act, isWithoutFigures }: Use & { isWithoutFigures: boolean }) {
  const { ofPicker } = usePane().texts;
  const id = useId();
  const isOff = needsFigures && isWithoutFigures;
  return (
    <div>
      <Button appearance="primary" disabledFocusable={isOff} aria-describedby={isOff ? id : undefined} onClick={act}>
        {ofPicker.use(text)}
      </Button>
      {isOff && (
        <Hint block id={id}>
          {ofPicker.noFigures(text)}
        </Hint>
      )}
    </div>
  );
}

const isMissing = hasCode("FEED_NOT_FOUND");
const isRefused = hasCode("FEED_SCOPE_MISSING");

/** Whether the provider says that it has none. */
const isAbsent = ({ state }: { state: State<unknown> }): boolean => state.status === "failed" && isMissing(state.error);

/** Why a family cannot serve the company, in words; null where it may. */
function toLack(
  { state }: { state: State<unknown> },
  family: "financials" | "taxonomies",
  { ofFind }: Texts,
): string | null {
  if (state.status !== "failed") return null;
  if (isMissing(state.error)) return ofFind.absent[family];
  return isRefused(state.error) ? ofFind.refused[family] : ofFind.unread[family];
}

/** The company's names and numbers; the heading takes the focus, so that screen readers begin there. */
function Names({ company }: { company: FoundCompany }) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  const look = useLook();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, name, otherName, country, ticker, registrationNumber } = company;
  const number = registrationNumber === null ? null : ofFind.registration(registrationNumber);
  const facts = [country, ticker, number].filter((fact) => fact !== null);
  return (
    <div>
      <h2 ref={heading} tabIndex={-1} className={styles.name}>
        {name}
      </h2>
      {otherName !== null && <Caption1 block>{otherName}</Caption1>}
      <Hint block>{facts.join(" · ")}</Hint>
      <Hint block>
        <span id={toIdElement(id)} className={mergeClasses(look.code, styles.id)}>
          {id}
        </span>
      </Hint>
    </div>
  );
}

interface CompanyActionsProps {
  company: FoundCompany;
  /** Ends a notice about the company once another one is opened. */
  untilOther: NoticeEnd;
  /** Why a family cannot serve it, in words; null where it may. */
  lacks: { financials: string | null; classification: string | null };
}

/** The actions for a company: insert its data, or open it in another part. */
function CompanyActions({ company, untilOther, lacks }: CompanyActionsProps) {
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
  toText("PEERS", [companyId, country === null ? null : "industry", country, null, null, FIELDS]);

/** Writes the companies below a node of the taxonomy, whose level is written since levels may share an id. */
export const toConstituents = ({ level, id }: Pick<TreeNode, "level" | "id">, country: string): string =>
  toText("CONSTITUENTS", [`${level}:${id}`, country, null, null, FIELDS]);

/** The columns of an inserted table of companies: names come first, and the id last. */
const FIELDS = "Company, English name, Ticker, Country, Public, Industry, Company id";

const toText = (name: string, given: readonly (string | null)[]): string => toFormulaText(toCall(name, given));

const toCall = (name: string, given: readonly (string | null)[]): FormulaCall => ({
  name,
  given: given.map((value) => (value === null ? null : { kind: "text", value })),
});
