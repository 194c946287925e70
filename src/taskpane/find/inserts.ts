import { isNumberForm, mayBeNumber, toCompanyKey } from "../../client/ids";
import type { Block } from "../../contract/workbook";
import type { CompanyData } from "../../feed/registrations/evidence";
import type { TreeNode } from "../../feed/taxonomies/tree";
import type { Session } from "../../session/session";
import type { FoundCompany } from "../company-search";
import { toUnitFormat } from "../figure-format";
import { toFormulaText } from "../formula-text";
import { COMPANY_COLUMNS, COMPANY_WIDTHS, toWidths } from "../inserted-columns";
import type { PaneContext } from "../pane";
import { settle } from "../settle";
import { type FieldFact, readListing, readProfile } from "./Profile";

/** What is inserted, but for its place. */
export type Inserted = Pick<Block, "cells" | "widths">;

type Pane = Pick<PaneContext, "session" | "texts">;

/** A figure of trillions with its separators. */
const FIGURE_WIDTH = 19;

/** The company's revenue of its latest year, with the name beside it where the formula cannot have that. */
export async function toRevenue({ session }: Pane, company: FoundCompany): Promise<Inserted> {
  const text = await readText(session, company, "financials");
  const figure = { ...toFormula("FINANCIAL", [text, "FY0", "Revenue"]), format: toUnitFormat("") };
  return { cells: [text === company.id ? [figure, company.name] : [figure]], widths: [FIGURE_WIDTH] };
}

/** The company's id, behind its name. */
export function toId(_pane: Pane, { id, name }: FoundCompany): Inserted {
  return { cells: [[name, id]], widths: toWidths([[name, id]]) };
}

/** The companies of a company's own industry, in its country. */
export async function toPeers({ session }: Pane, company: FoundCompany): Promise<Inserted> {
  const text = await readText(session, company, "classification");
  const country = company.country === session.settings.country ? null : company.country;
  const given = [text, country === null ? null : "industry", country, null, null, COMPANY_COLUMNS];
  return { cells: [[toFormula("PEERS", given)]], widths: COMPANY_WIDTHS };
}

/** The companies below a node of the taxonomy, whose level is written since levels may share an id. */
export const toConstituents = ({ level, id }: Pick<TreeNode, "level" | "id">, country: string): Inserted => ({
  cells: [[toFormula("CONSTITUENTS", [`${level}:${id}`, country, null, null, COMPANY_COLUMNS])]],
  widths: COMPANY_WIDTHS,
});

/** What the card shows of a company and a formula gives, each behind its label, and the id last. */
export async function toDetails({ session, texts }: Pane, company: FoundCompany): Promise<Inserted> {
  const { id } = company;
  const { companies, taxonomies, queryCache } = session.feed;
  const listed = await settle(queryCache, taxonomies.query({ companyId: id }));
  const own = await settle(queryCache, companies.query(id));
  const { company: listing } = readListing(listed.status === "answered" ? listed.answer.value : {}, texts);
  const profile = readProfile(own.status === "answered" ? own.answer.value : {}, texts);
  const lines = [
    ...toLines("CLASSIFICATION", await readText(session, company, "classification"), listing),
    ...toLines("COMPANY", await readText(session, company, "record"), [...profile.company, ...profile.employees]),
  ];
  const isRepeated = ({ field, value }: FieldFact, place: number) =>
    /Name$|^website/.test(field.name) && lines.findIndex((each) => each.value === value) < place;
  const shown = lines.filter((line, place) => !isRepeated(line, place));
  const last = [texts.ofFind.insertId, id];
  return {
    cells: [...shown.map(({ name, content }) => [name, content]), last],
    widths: toWidths([...shown.map(({ name, value }) => [name, value]), last]),
  };
}

/** An address as a whole is several cells. */
const toLines = (formula: string, company: string, facts: readonly FieldFact[]) =>
  facts
    .filter(({ field }) => field.kind !== "object")
    .map((fact) => {
      const format = fact.field.kind === "day" ? "yyyy-mm-dd" : fact.field.format;
      return { ...fact, content: { ...toFormula(formula, [company, fact.field.name]), format } };
    });

/**
 * Gives the text by which a formula names a company: its name where that means it alone and costs no request, else its
 * id. What the name means is stored in the workbook.
 *
 * @param data what the formula asks of it, which decides between namesakes
 */
async function readText({ feed, settings }: Session, company: FoundCompany, data: CompanyData): Promise<string> {
  const { id, name, country } = company;
  const own = country ?? settings.country;
  if (isNumberForm(name) || mayBeNumber(name) || feed.nameIndexes.state(own).facts === null) return id;
  const text = own === settings.country ? name : `${own}:${name}`;
  const query = feed.companies.queryId({ name: text, country: settings.country }, data);
  const state = await settle(feed.queryCache, query);
  return state.status === "answered" && toCompanyKey(state.answer.value) === toCompanyKey(id) ? text : id;
}

const toFormula = (name: string, given: readonly (string | null)[]) => ({
  formula: toFormulaText({ name, given: given.map((value) => (value === null ? null : { kind: "text", value })) }),
});
