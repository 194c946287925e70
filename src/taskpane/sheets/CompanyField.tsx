import { Button, Field, makeStyles, tokens } from "@fluentui/react-components";
import type { ClipboardEvent } from "react";
import { showPlace } from "../addresses";
import { CompanyBox } from "../build/CompanyBox";
import { isCompanyText } from "../build/company-writing";
import { attempt } from "../commands/desk";
import { usePane } from "../pane";
import { listCompanies } from "./drafts";

const useStyles = makeStyles({
  field: { display: "flex", flexDirection: "column", alignItems: "flex-start", rowGap: tokens.spacingVerticalS },
  box: { width: "100%" },
});

interface CompanyFieldProps {
  label: string;
  hint: string;
  written: string;
  isList: boolean;
  mistake: string | undefined;
  change: (written: string) => void;
}

/** A field for companies: by name, id or number, by a pasted list, or from the selected cells. */
export function CompanyField({ label, hint, written, isList, mistake, change }: CompanyFieldProps) {
  const styles = useStyles();
  const { takeSelected } = usePane().texts.ofSheets;
  const add = (companies: readonly string[]) =>
    change(isList ? [...new Set([...listCompanies(written), ...companies])].join(", ") : (companies[0] ?? ""));
  const take = useTake(add);
  const paste = (event: ClipboardEvent) => {
    const companies = listCompanies(event.clipboardData.getData("text"));
    if (!isList || companies.length < 2 || !companies.some(isCompanyText)) return;
    event.preventDefault(); // the field has one line
    add(companies);
  };
  return (
    <div className={styles.field}>
      <div className={styles.box} onPaste={paste}>
        <Field label={label} hint={hint} validationMessage={mistake}>
          <CompanyBox written={written} isList={isList} change={change} />
        </Field>
      </div>
      <Button size="small" onClick={() => void take()}>
        {takeSelected}
      </Button>
    </div>
  );
}

/** Returns a function that adds the companies of the selected cells, and skips headings and names. */
function useTake(add: (companies: readonly string[]) => void): () => Promise<void> {
  const pane = usePane();
  return () =>
    attempt(pane, async ({ workbook, notify, texts }) => {
      const place = showPlace(await workbook.readSelection());
      const values = (await workbook.readValues(place)).flat().map((value) => String(value ?? "").trim());
      const companies = values.filter(isCompanyText);
      if (companies.length > 0) add(companies);
      else notify({ intent: "warning", text: texts.ofSheets.nothingSelected(place) });
    });
}
