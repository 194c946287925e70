import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { showPlace } from "../addresses";
import { isCompanyText } from "../build/company-writing";
import { toFaultText } from "../insert";
import { usePane } from "../pane";

const useStyles = makeStyles({
  ways: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Ways to a company besides writing its id: the selected cells, which are taken at once, and its name. */
export function CompanyWays({ onTake }: { onTake: (companies: string[]) => void }) {
  const styles = useStyles();
  const { workbook, tell, open, texts } = usePane();
  const { takeSelected, nothingSelected, find } = texts.ofSheets;
  const take = async () => {
    try {
      const place = showPlace(await workbook.readSelection());
      const values = (await workbook.readValues(place)).flat().map((value) => String(value ?? "").trim());
      const companies = [...new Set(values.filter(isCompanyText))]; // headings and names stand beside them
      if (companies.length > 0) onTake(companies);
      else tell({ intent: "warning", text: nothingSelected(place) });
    } catch (error) {
      tell({ intent: "error", text: toFaultText(error, texts) });
    }
  };
  return (
    <div className={styles.ways}>
      <Button size="small" onClick={() => void take()}>
        {takeSelected}
      </Button>
      <Button size="small" onClick={() => open("find")}>
        {find}
      </Button>
    </div>
  );
}
