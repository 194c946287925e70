import { Button, Field } from "@fluentui/react-components";
import { showPlace } from "../addresses";
import { Stack, useLook } from "../layout";
import { attempt, usePane } from "../pane";
import { CompanyBox } from "../picker/CompanyBox";
import { useAdd } from "../picker/use-add";

interface CompanyFieldProps {
  label: string;
  hint: string;
  written: string;
  isList: boolean;
  mistake: string | undefined;
  change: (written: string) => void;
}

/** A field for companies with financials: by name, id or number, by a pasted list, or from the selected cells. */
export function CompanyField({ label, hint, written, isList, mistake, change }: CompanyFieldProps) {
  const { takeSelected } = usePane().texts.ofSheets;
  const companies = { written, isList, needs: "private", change } as const;
  const take = useTake(useAdd(companies), isList);
  return (
    <Stack>
      <Field label={label} hint={hint} validationMessage={mistake}>
        <CompanyBox {...companies} />
      </Field>
      <Button size="small" className={useLook().atStart} onClick={() => void take()}>
        {takeSelected}
      </Button>
    </Stack>
  );
}

/** Returns a function that adds the companies of the selected cells. */
function useTake(add: (texts: readonly string[]) => Promise<void>, isList: boolean): () => Promise<void> {
  const pane = usePane();
  return () =>
    attempt(pane, async ({ workbook, notify, texts }) => {
      const place = showPlace(await workbook.readSelection());
      const values = (await workbook.readValues(place)).flat().map((value) => String(value ?? "").trim());
      const given = [...new Set(values.filter((value) => value !== ""))];
      if (given.length > 0) await add(isList ? given : given.slice(0, 1));
      else notify({ intent: "warning", text: texts.ofSheets.nothingSelected(place) });
    });
}
