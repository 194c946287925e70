import { NoValueError } from "../../client/errors";
import { joined, type Message, msg, translate } from "../../client/messages";
import type { Row } from "../../feed/decode";
import { MATCH_COLUMNS, MATCH_FIELDS, NAME_FIELDS } from "../../feed/field-tables";
import type { Evidence, MatchCandidate, NameMatch, NameMatches, NameToMatch } from "../../feed/matching";
import { toNotReady } from "../../feed/names/not-ready";
import { session } from "../../session/current";
import { type Given, type Reading, readNames } from "../arguments";
import { readAnswer, type View } from "../view-observer";
import { readLines } from "./match-arguments";
import { readFields, toTable } from "./table";
import { readCountry, readHeaders } from "./table-arguments";

/** Opens the table of companies that a list of names means. */
export function openMatches(given: Given<"names" | "country" | "hints" | "fields" | "headers">): View {
  const lines = readLines(given.names, given.hints);
  const country = readCountry(given.country, session.settings.country);
  const fields = readFields(readNames(given.fields, "fields") ?? MATCH_COLUMNS, MATCH_FIELDS, []);
  const headers = readHeaders(given.headers);
  const asked = lines.flatMap((line) => (line.kind === "value" ? [line.value] : []));
  const { dateSystem } = session.settings;
  return {
    queries: asked.length === 0 ? [] : [session.feed.matching.query(asked, country)],
    rereadsOnRefresh: false,
    show([settled]) {
      const matches = asked.length === 0 ? [] : readAnswer<NameMatches>(settled).matches;
      const rows = toRows(lines, matches, country);
      return { ...toTable(rows, { fields, headers, dateSystem }), cures: SMALLER };
    },
  };
}

const SMALLER = msg`give fewer names or fields`;

type Line = Reading<NameToMatch>;

/** A row for each line. */
function toRows(lines: readonly Line[], matches: readonly NameMatch[], country: string): Row[] {
  const places = lines.flatMap((line, place) => (line.kind === "value" ? [place] : []));
  let at = 0;
  return lines.map((line): Row => {
    if (line.kind === "blank") return {};
    if (line.kind === "error") return toErrorRow(line.error, MATCH_FIELDS);
    const match = matches[at++] as NameMatch;
    const sameAs = match.sameAs === null ? null : (places[match.sameAs] as number) + 1;
    return { ...toMatchRow(line.value.name, match, country), sameAs };
  });
}

const toErrorRow = (error: unknown, fields: readonly { name: string }[]): Row =>
  Object.fromEntries(fields.map(({ name }) => [name, error]));

/** A company that is not certain is an error in each field of its own, so that no formula takes it for the match. */
function toMatchRow(name: string, match: NameMatch, country: string): Row {
  const { state, candidates } = match;
  const [best] = candidates;
  const isTaken = best !== undefined && (state === "exact" || state === "sure");
  return {
    ...(isTaken ? toCompanyRow(best.company, country) : toErrorRow(toNobody(name, match, country), NAME_FIELDS)),
    state,
    score: best?.score ?? null,
    reason: translate(toReason(match)),
    closestId: best?.company.companyId ?? null,
    closestName: best?.company.companyName ?? null,
    candidates: candidates.map(describe).join("; "),
  };
}

/** Of a company that a person chose, only id and name are known without its index; each company of an index has a family. */
function toCompanyRow(company: Row, country: string): Row {
  return company.families === undefined
    ? { ...toErrorRow(toNotReady(country, null), NAME_FIELDS), ...company }
    : company;
}

const describe = ({ company, score }: MatchCandidate): string => `${company.companyName} (${score.toFixed(2)})`;

const MOST_NAMED = 3;

/** A doubtful name is ambiguous: a person, or a hint, must choose. */
function toNobody(name: string, { candidates, isDecided }: NameMatch, country: string): NoValueError {
  const named = { name, country };
  if (isDecided) {
    return new NoValueError(
      "FEED_NO_VALUE",
      msg`"${name}" has no company, by a choice kept in this workbook; choose one in the FEED pane`,
      { named },
    );
  }
  if (candidates.length === 0) {
    return new NoValueError("FEED_NO_VALUE", msg`no company is named like "${name}"; check the name and the country`);
  }
  const first = candidates.slice(0, MOST_NAMED).map(({ company }) => `${company.companyName} (${company.companyId})`);
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${name}" is not certain; the closest: ${joined(first, "; ")}; choose one in the FEED pane, or give a hint such as a ticker or website`,
    { named },
  );
}

/** What decided, as a person reads it. */
function toReason({ state, candidates, alike, isDecided }: NameMatch): Message {
  if (isDecided) return EVIDENCE.workbook;
  const evidence = candidates[0]?.evidence ?? [];
  if (evidence.includes("companyId")) return EVIDENCE.companyId;
  const doubt = alike > 1 ? msg`${alike} alike` : msg`not certain`;
  const word = { exact: msg`same name`, sure: msg`name`, doubtful: doubt, none: msg`no similar name` }[state];
  return joined([word, ...evidence.map((each) => EVIDENCE[each])], ", ");
}

const EVIDENCE: Readonly<Record<Evidence, Message>> = {
  workbook: msg`workbook`,
  companyId: msg`companyId`,
  ticker: msg`ticker`,
  registrationNumber: msg`registrationNumber`,
  website: msg`website`,
  city: msg`city`,
  industry: msg`industry`,
  legalForm: msg`legalForm`,
};
