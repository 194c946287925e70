import type { Report } from "./report";

const MOST_LINES = 20;

/** The report in lines for a terminal or a mail; what is too long for these is in the report's file. */
export function toSummary(report: Report): string[] {
  const { changes, moves, failed, missing, stale, leftToExcel, notes } = report;
  return [
    ...toHead(report),
    ...toSection("Changed", changes, ({ sheet, cell, what, year, metric, before, after }) => {
      const subject = [what, year, metric].filter(Boolean).join(" · ");
      return `${sheet}!${cell}  ${subject}: ${toText(before)} → ${toText(after)}`;
    }),
    ...moves.flatMap(({ sheet, cell, entered, left, rose, fell }) => {
      const toMove = ({ name, from, to }: (typeof rose)[number]) => `${name} ${from} → ${to}`;
      return [
        `Moved in ${sheet}!${cell}`,
        ...toNames("entered", entered),
        ...toNames("left", left),
        ...toNames("rose", rose.map(toMove)),
        ...toNames("fell", fell.map(toMove)),
      ];
    }),
    ...toSection("Failed, with the old value", failed, toFailure),
    ...toSection("Without a value", missing, toFailure),
    ...toSection("Older than the workbook's settings allow", stale, toPlace),
    ...toSection("Left to Excel, which calculates them when it opens the file", leftToExcel, toPlace),
    ...notes,
  ];
}

/** The summary in one sentence. */
export function toSentence({ counts, requests }: Report): string {
  const { formulas, refreshed, failed, changed } = counts;
  const fresh = failed === 0 ? toCount(refreshed, "formula") : `${refreshed} of ${toCount(formulas, "formula")}`;
  return `${fresh} refreshed, ${toCount(changed, "value")} changed, ${toCount(requests, "request")}.`;
}

/** Such as "1 request" or "12 requests". */
export const toCount = (count: number, what: string) =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

const MODES = {
  key: (client: string | null) => `as client ${client}, with the key of the settings`,
  pairing: (client: string | null) => `as client ${client}, by a pairing`,
  sample: () => "which is sample data",
} as const;

function toHead(report: Report): string[] {
  const { book, written, source, asOf, counts } = report;
  const times = asOf.oldest === asOf.newest ? asOf.newest : `${asOf.oldest} to ${asOf.newest}`;
  return [
    `${book}: ${toSentence(report)}`,
    `Figures ${times === null ? "" : `of ${times} `}from ${source.provider}, ${MODES[source.mode](source.client)}.`,
    ...(counts.dependants > 0 ? [`New values beside them: ${toCount(counts.dependants, "cell")}.`] : []),
    written === null ? "Nothing was written." : `Written: ${written}`,
  ];
}

function toSection<Item>(title: string, items: readonly Item[], toLine: (item: Item) => string): string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, MOST_LINES).map((item) => `  ${toOneLine(toLine(item))}`);
  const more = items.length - lines.length;
  return [
    `${title} (${items.length.toLocaleString("en")})`,
    ...lines,
    ...(more > 0 ? [`  and ${more.toLocaleString("en")} more: see --report`] : []),
  ];
}

/** Names in one line. */
function toNames(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - MOST_LINES;
  const listed = names.slice(0, MOST_LINES).join(", ");
  return [`  ${what} (${names.length}): ${toOneLine(listed)}${more > 0 ? `, and ${more} more` : ""}`];
}

const toPlace = ({ sheet, cell }: Report["stale"][number]) => `${sheet}!${cell}`;

const toFailure = ({ sheet, cell, code, sentence }: Report["failed"][number]) =>
  `${sheet}!${cell}  ${code}: ${sentence}`;

/** Provider text and a file's text must not change a terminal. */
const toOneLine = (text: string) => text.replace(/\p{C}+/gu, " ");

const NUMBER = new Intl.NumberFormat("en", { maximumSignificantDigits: 15 });

function toText(value: Report["changes"][number]["before"]): string {
  if (value === null || value === "") return "empty";
  return typeof value === "number" ? NUMBER.format(value) : String(value);
}
