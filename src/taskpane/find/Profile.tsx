import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { Fragment } from "react";
import { decodeObjects, type Row, readText } from "../../feed/decode";
import { COMPANY_FIELDS, TAXONOMY_FIELDS, toReadable } from "../../feed/field-tables";
import { type Field, pickField } from "../../feed/fields";
import { readEntries } from "../../feed/taxonomies/companies";
import { Hint, useLook } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  facts: {
    margin: 0,
    display: "grid",
    gridTemplateColumns: "minmax(6em, 36%) 1fr",
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalM}`,
  },
  value: { margin: 0 },
  heading: { margin: `${tokens.spacingVerticalM} 0 ${tokens.spacingVerticalXXS}` },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL },
});

/** A private company's record: its facts, its people and its employees. */
export function PrivateProfile({ company, people, employees }: Profile) {
  const { ofFind } = usePane().texts;
  return (
    <>
      <Facts facts={company} />
      <Facts title={ofFind.people} facts={people} />
      <Facts title={ofFind.employees} facts={employees} />
    </>
  );
}

/** A classified company's record: its facts with its listing, and its industries. */
export function Listing({ company, classifications }: ListingFacts) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  const look = useLook();
  return (
    <>
      <Facts facts={company} />
      {classifications.length > 0 && (
        <>
          <Title>{ofFind.kinds.industries}</Title>
          <ul className={mergeClasses(styles.list, look.small)}>
            {classifications.map(({ key, text, isPrimary }) => (
              <li key={key}>
                {text} {isPrimary && <span className={look.muted}>({ofFind.primary})</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Facts below each other; those with a title of their own show only where there are some. */
function Facts({ title, facts }: { title?: string; facts: readonly Fact[] }) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  const look = useLook();
  if (facts.length === 0) return title === undefined && <Hint>{ofFind.nothingKnown}</Hint>;
  return (
    <>
      {title !== undefined && <Title>{title}</Title>}
      <dl className={mergeClasses(styles.facts, look.small)}>
        {facts.map(({ name, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name and role
          <Fragment key={place}>
            <dt className={look.muted}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

function Title({ children }: { children: string }) {
  const styles = useStyles();
  const look = useLook();
  return <h4 className={mergeClasses(styles.heading, look.small, look.strong)}>{children}</h4>;
}

/** A name and a value as texts. */
interface Fact {
  name: string;
  value: string;
}

export interface FieldFact extends Fact {
  field: Field;
}

const PROFILE = [
  "companyName",
  "businessDescription",
  "legalStructure",
  "dateOfRegistration",
  "registrationNumber",
  "registeredAddress",
  "websiteUrl",
  "telephoneNumber",
];

const EMPLOYEES = ["nonConsolidated", "consolidated"].flatMap((kind) =>
  ["employeeCount", "numberOfOfficers", "employeeRange"].map((field) => `employees.${kind}.${field}`),
);

const LISTING = [
  "companyFormalName",
  "companyEnglishName",
  "companyLegalName",
  "companyInformalName",
  "countryName",
  "foundedYear",
  "isPublic",
  "tickerSymbol",
  "exchangeName",
  "listingDate",
  "isActive",
  "website",
];

/** A private company's record (§2.2). */
interface Profile {
  company: readonly FieldFact[];
  /** Representatives by name and role, never with contact data. */
  people: readonly Fact[];
  employees: readonly FieldFact[];
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const readProfile = (row: Row, texts: Texts): Profile => ({
  company: listFacts(row, PROFILE, COMPANY_FIELDS, texts),
  people: listPeople(row),
  employees: listFacts(row, EMPLOYEES, COMPANY_FIELDS, texts),
});

/** A classified company's record (§2.4). */
interface ListingFacts {
  company: readonly FieldFact[];
  /** The primary one first. */
  classifications: readonly Classification[];
}

/** A classification of a company as a way down the tree. */
interface Classification {
  key: string;
  text: string;
  isPrimary: boolean;
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const readListing = (record: Row, texts: Texts): ListingFacts => ({
  company: listFacts(record, LISTING, TAXONOMY_FIELDS, texts),
  classifications: listClassifications(record),
});

function listFacts(row: Row, names: readonly string[], fields: readonly Field[], texts: Texts): FieldFact[] {
  return names.flatMap((name) => {
    const field = fields.find((each) => each.name === name);
    const value = toShown(pickField(row, name), texts);
    if (field === undefined || value === "") return [];
    return [{ name: texts.ofFind.fields[name] ?? field.header, value, field }];
  });
}

function toShown(value: unknown, { language, ofFind }: Texts): string {
  if (typeof value === "boolean") return value ? ofFind.yes : ofFind.no;
  if (typeof value === "number") return value.toLocaleString(language);
  if (typeof value === "object" && value !== null) return toAddress(value as Row);
  return readText(value) ?? "";
}

/** An address as one text, in the order in which the provider writes it. */
function toAddress({ line1, line2, city, postalCode, country }: Row): string {
  const place = [city, postalCode].flatMap((part) => readText(part) ?? []).join(" ");
  return [line1, line2, place, country].flatMap((part) => readText(part) ?? []).join(", ");
}

function listPeople(row: Row): Fact[] {
  return decodeObjects(row.representatives ?? [], "list of representatives").flatMap(({ fullName, role }) => {
    const name = readText(fullName);
    return name === null ? [] : [{ name, value: toReadable(readText(role) ?? "") }];
  });
}

function listClassifications(record: Row): Classification[] {
  const entries = readEntries(record).map((entry) => {
    const names = [entry.sectorName, entry.subSectorName, entry.industryName].flatMap((name) => readText(name) ?? []);
    return { key: JSON.stringify(entry), text: names.join(" › "), isPrimary: entry.isPrimaryIndustry === true };
  });
  return entries.sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary));
}
