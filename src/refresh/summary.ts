import type { Report } from "./report";
import { toLocalMinute } from "./week-time";

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

const MODES = { key: "with the key of the settings", pairing: "by a pairing" } as const;

function toOrigin({ source: { provider, client, mode }, asOf }: Report): string {
  const times = [...new Set([asOf.oldest, asOf.newest].flatMap((time) => (time ? toLocalMinute(new Date(time)) : [])))];
  const figures = ["Figures", ...(times.length > 0 ? ["of", times.join(" to ")] : []), "from"].join(" ");
  if (mode === "sample") return `${figures} the sample data: none of them is real.`;
  return `${figures} ${provider}, as client ${client}, ${MODES[mode]}.`;
}

function toHead(report: Report): string[] {
  const { book, written, counts } = report;
  return [
    `${book}: ${toSentence(report)}`,
    toOrigin(report),
    ...(counts.dependants > 0 ? [`Cells that depend on them, with new values: ${counts.dependants}.`] : []),
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
