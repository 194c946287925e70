import { Body1, makeStyles, tokens } from "@fluentui/react-components";
import { Fold } from "../Fold";
import { Hint, useLook } from "../layout";
import { usePane } from "../pane";
import { Chart, type Series } from "./Chart";

const useStyles = makeStyles({
  table: { borderCollapse: "collapse", fontSize: tokens.fontSizeBase200, fontVariantNumeric: "tabular-nums" },
  cell: { padding: `1px 0 1px ${tokens.spacingHorizontalL}`, textAlign: "right", fontWeight: "inherit" },
  year: { padding: "1px 0", textAlign: "left", fontWeight: "inherit", color: tokens.colorNeutralForeground3 },
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
