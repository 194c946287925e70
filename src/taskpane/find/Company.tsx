import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useEffect, useId, useMemo, useRef } from "react";
import { hasCode } from "../../client/errors";
import type { State } from "../../feed/query-cache";
import { type FoundCompany, toIdElement } from "../company-search";
import { Hint, Stack, useLook } from "../layout";
import type { NoticeEnd } from "../notice-ends";
import { usePane } from "../pane";
import { useQuery } from "../query";
import type { Texts } from "../texts";
import { pickSeries } from "./Chart";
import { CompanyActions } from "./CompanyActions";
import { Figures } from "./Figures";
import { Listing, PrivateProfile, readListing, readProfile } from "./Profile";
import { Section } from "./Section";

const useStyles = makeStyles({
  back: { justifySelf: "start", marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})` },
  id: { userSelect: "all" },
  name: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    scrollMarginTop: "10em", // keeps it below the sticky head
    outlineStyle: "none",
  },
});

interface CompanyProps {
  company: FoundCompany;
  onBack: () => void;
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
export function Company({ company, onBack, untilOther, use }: CompanyProps) {
  const { texts } = usePane();
  const { ofFind } = texts;
  const styles = useStyles();
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
      <Button size="small" appearance="subtle" className={styles.back} onClick={onBack}>
        <span aria-hidden>←&nbsp;</span>
        {ofFind.back}
      </Button>
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
