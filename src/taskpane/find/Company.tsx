import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type ReactNode, useEffect, useId, useMemo, useRef } from "react";
import { hasCode } from "../../client/errors";
import type { State } from "../../feed/query-cache";
import { type FoundCompany, toIdElement } from "../company-search";
import { readActiveCell, useInsert } from "../insert";
import { Hint, Row, Stack, useLook } from "../layout";
import type { NoticeEnd } from "../notice-ends";
import { attempt, type PaneContext, useCopy, usePane } from "../pane";
import { useQuery } from "../query";
import type { Texts } from "../texts";
import { Figures, pickSeries } from "./Figures";
import { type Inserted, toDetails, toId, toPeers, toRevenue } from "./inserts";
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
  const listingLack = toLack(classification, "taxonomies", texts);
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
          details: profile.state.status === "failed" ? listingLack : null,
          classification: listingLack,
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
  /** Why its data cannot be inserted, in words; null where they may. */
  lacks: Record<"financials" | "details" | "classification", string | null>;
}

/** The actions for a company: insert its data, or open it in another part. */
function CompanyActions({ company, untilOther, lacks }: CompanyActionsProps) {
  const pane = usePane();
  const { open } = pane;
  const { ofFind } = pane.texts;
  const id = useId();
  const insert = useInsert(untilOther);
  const copy = useCopy();
  const put = (make: (pane: PaneContext, company: FoundCompany) => Inserted | Promise<Inserted>) =>
    void attempt(pane, async ({ workbook }) => {
      const at = await readActiveCell(workbook); // before anything is looked up
      await insert({ at, ...(await make(pane, company)) });
    });
  const { id: companyId, name } = company;
  const chosen = { company: { id: companyId, name } };
  const inserts = [
    { label: ofFind.insertRevenue, make: toRevenue, lack: lacks.financials },
    { label: ofFind.insertId, make: toId, lack: null },
    { label: ofFind.insertRow, make: toDetails, lack: lacks.details },
    { label: ofFind.insertPeers, make: toPeers, lack: lacks.classification },
  ];
  const toLackId = (place: number) => `${id}-${place}`;
  return (
    <Stack>
      <Group label={ofFind.insert}>
        {inserts.map(({ label, make, lack }, place) => (
          <Do key={label} isFirst={place === 0} {...{ label, lack }} lackId={toLackId(place)} act={() => put(make)} />
        ))}
      </Group>
      {inserts.map(
        ({ label, lack }, place) =>
          lack !== null && (
            <Hint block key={label} id={toLackId(place)}>
              {ofFind.lack(label, lack)}
            </Hint>
          ),
      )}
      <Group label={ofFind.goOn}>
        <Do label={ofFind.build} act={() => open("build", chosen)} />
        <Do label={ofFind.statement} lack={lacks.financials} lackId={toLackId(0)} act={() => open("sheets", chosen)} />
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
