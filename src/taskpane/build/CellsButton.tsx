import { Button } from "@fluentui/react-components";
import { showPlace } from "../addresses";
import { toFaultText } from "../insert";
import { usePane } from "../pane";

/** Has an argument read the cells that are selected. */
export function CellsButton({ label, change }: { label: string; change: (written: string) => void }) {
  const { workbook, notify, texts } = usePane();
  const take = async () => {
    try {
      change(`=${showPlace(await workbook.readSelection())}`);
    } catch (error) {
      notify({ intent: "error", text: toFaultText(error, texts) });
    }
  };
  const { useCells, useCellsFor } = texts.ofBuild;
  return (
    <Button size="small" appearance="transparent" aria-label={useCellsFor(label)} onClick={() => void take()}>
      {useCells}
    </Button>
  );
}
