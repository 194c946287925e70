import { Body1, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { FeedError } from "../../client/errors";
import type { Financials } from "../../feed/decode";
import { pickMetric } from "../../feed/financials/metrics";
import { listYears } from "../../feed/financials/periods";
import { Fold } from "../Fold";
import { Hint, Row, useLook } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  table: { borderCollapse: "collapse", fontSize: tokens.fontSizeBase200, fontVariantNumeric: "tabular-nums" },
  cell: { padding: `1px 0 1px ${tokens.spacingHorizontalL}`, textAlign: "right", fontWeight: "inherit" },
  year: { padding: "1px 0", textAlign: "left", fontWeight: "inherit", color: tokens.colorNeutralForeground3 },
  chart: { margin: 0, maxWidth: "26em" },
  key: { display: "inline-block", width: "0.7em", height: "0.7em", marginRight: "0.4em" },
  drawing: { display: "block", width: "100%", height: "auto" },
  // Contrast themes replace backgrounds by themselves, but not SVG fills.
  revenue: {
    fill: tokens.colorBrandForeground1,
    backgroundColor: tokens.colorBrandForeground1,
    "@media (forced-colors: active)": { fill: "Highlight", backgroundColor: "Highlight", forcedColorAdjust: "none" },
  },
  netIncome: {
    fill: tokens.colorNeutralForeground3,
    backgroundColor: tokens.colorNeutralForeground3,
    "@media (forced-colors: active)": { fill: "CanvasText", backgroundColor: "CanvasText", forcedColorAdjust: "none" },
  },
  line: {
    stroke: tokens.colorNeutralStroke1,
    "@media (forced-colors: active)": { stroke: "CanvasText" },
  },
  label: {
    fill: tokens.colorNeutralForeground3,
    fontSize: "10px",
    "@media (forced-colors: active)": { fill: "CanvasText" },
  },
});

/** Revenue and net income of a company's latest years, as a chart and as a table. */
export function Figures({ series }: { series: Series }) {
  const look = useLook();
  const { ofFind } = usePane().texts;
  if (series.years.length === 0) return <Body1 className={look.muted}>{ofFind.noFigures}</Body1>;
  return (
    <>
      <Chart series={series} />
      {series.leftOut > 0 && <Hint block>{ofFind.otherCurrencies(series.leftOut)}</Hint>}
      <Fold isPlain title={ofFind.table}>
        <FigureTable series={series} />
      </Fold>
    </>
  );
}

function FigureTable({ series: { years, currency } }: { series: Series }) {
  const { language, ofFind } = usePane().texts;
  const styles = useStyles();
  const write = (value: number | null) => value?.toLocaleString(language) ?? "–";
  const withUnit = (name: string) => (currency === null ? name : `${name} (${currency})`);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.year}>
            {ofFind.year}
          </th>
          <th scope="col" className={styles.cell}>
            {withUnit(ofFind.revenue)}
          </th>
          <th scope="col" className={styles.cell}>
            {withUnit(ofFind.netIncome)}
          </th>
        </tr>
      </thead>
      <tbody>
        {years.map(({ year, revenue, netIncome }) => (
          <tr key={year}>
            <th scope="row" className={styles.year}>
              {year}
            </th>
            <td className={styles.cell}>{write(revenue)}</td>
            <td className={styles.cell}>{write(netIncome)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Sizes of the drawing, in its own units: about pixels in a narrow pane. */
const WIDTH = 288;
const TOP = 14;
const HEIGHT = 100;
const BOTTOM = 14;
const NAMES = ["revenue", "netIncome"] as const;

/** Two columns per year from one zero line, with a summary in words. */
function Chart({ series }: { series: Series }) {
  const { texts } = usePane();
  const { language, ofFind } = texts;
  const styles = useStyles();
  const look = useLook();
  const { years, currency } = series;
  const scale = toScale(years);
  return (
    <figure className={styles.chart}>
      <Row gap="M" isOneLine className={look.muted} aria-hidden>
        {NAMES.map((name) => (
          <Caption1 key={name}>
            <span className={mergeClasses(styles.key, styles[name])} />
            {ofFind[name]}
          </Caption1>
        ))}
        {currency !== null && <Caption1>{currency}</Caption1>}
      </Row>
      <svg
        role="img"
        aria-label={toSummary(series, texts)}
        viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + BOTTOM}`}
        className={styles.drawing}
      >
        <text x="0" y={TOP - 4} className={styles.label}>
          {toCompact(scale.most, language)}
        </text>
        <path d={`M0 ${TOP + 0.5}H${WIDTH}`} className={styles.line} strokeDasharray="2 3" />
        {years.map((figures, place) => (
          <Year key={figures.year} {...{ figures, place, scale }} count={years.length} />
        ))}
        <path d={`M0 ${Math.round(scale.toY(0)) + 0.5}H${WIDTH}`} className={styles.line} />
      </svg>
    </figure>
  );
}

interface YearProps {
  figures: YearFigures;
  place: number;
  count: number;
  scale: Scale;
}

function Year({ figures, place, count, scale: { toY } }: YearProps) {
  const styles = useStyles();
  const slot = WIDTH / count;
  const width = Math.min(14, slot * 0.36);
  const middle = slot * (place + 0.5);
  return (
    <g>
      {NAMES.map((name, index) => {
        const value = figures[name];
        if (value === null) return null;
        const [top, bottom] = [toY(Math.max(0, value)), toY(Math.min(0, value))];
        const x = middle + (index - 1) * (width + 1);
        return <rect key={name} x={x} y={top} {...{ width }} height={bottom - top} className={styles[name]} />;
      })}
      <text x={middle} y={TOP + HEIGHT + BOTTOM - 2} textAnchor="middle" className={styles.label}>
        {figures.year}
      </text>
    </g>
  );
}

interface Scale {
  /** The value at the top. */
  most: number;
  toY: (value: number) => number;
}

function toScale(years: readonly YearFigures[]): Scale {
  const values = years.flatMap((figures) => NAMES.map((name) => figures[name] ?? 0));
  const most = Math.max(0, ...values);
  const least = Math.min(0, ...values);
  const span = most - least || 1;
  return { most, toY: (value) => TOP + ((most - value) / span) * HEIGHT };
}

const toCompact = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 }).format(value);

/** The first and last value of each measure, in words. */
function toSummary({ years, currency }: Series, { language, ofFind }: Texts): string {
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined) return "";
  const ends = NAMES.flatMap((name) => {
    const known = years.filter((figures) => figures[name] !== null);
    return [...new Set([known[0], known.at(-1)])].map((figures) =>
      figures === undefined
        ? ""
        : ofFind.chartEnds(ofFind[name], figures.year, toCompact(figures[name] ?? 0, language)),
    );
  });
  return [ofFind.chart(first.year, last.year, currency), ...ends].filter((text) => text !== "").join(" ");
}

/** A fiscal year's figures; null where there is none, or several that differ. */
interface YearFigures {
  year: number;
  revenue: number | null;
  netIncome: number | null;
}

interface Series {
  /** Currency of all years; null where the provider names none. */
  currency: string | null;
  /** Ascending. */
  years: readonly YearFigures[];
  /** Number of years left out for their currency. */
  leftOut: number;
}

const MOST_YEARS = 10;

/** Picks revenue and net income of a company's latest years, all in the currency of the last of them. */
export function pickSeries(financials: Financials): Series {
  const years = listYears(financials).slice(-MOST_YEARS);
  const figures = years
    .map((year) => ({
      year,
      revenue: pickNumber(financials, year, "Revenue"),
      netIncome: pickNumber(financials, year, "Net Income"),
      currency: tryPick(financials, year, "currency"),
    }))
    .filter(({ revenue, netIncome }) => revenue !== null || netIncome !== null);
  const currency = figures.at(-1)?.currency ?? null;
  const same = figures.filter((each) => each.currency === currency);
  return {
    currency: currency === null ? null : String(currency),
    years: same.map(({ year, revenue, netIncome }) => ({ year, revenue, netIncome })),
    leftOut: figures.length - same.length,
  };
}

function pickNumber(financials: Financials, year: number, name: string): number | null {
  const value = tryPick(financials, year, name);
  return typeof value === "number" ? value : null;
}

/** Picks a figure; null where it is missing or ambiguous. */
function tryPick(financials: Financials, year: number, name: string): number | string | null {
  try {
    return pickMetric(financials, year, { name, basis: [] }).value;
  } catch (error) {
    if (error instanceof FeedError) return null;
    throw error;
  }
}
