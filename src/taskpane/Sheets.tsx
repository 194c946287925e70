import { Body1 } from "@fluentui/react-components";
import { usePane, type Wishes } from "./pane";

export function Sheets({ wish }: { wish: Wishes["sheets"] | undefined }) {
  const { texts } = usePane();
  return <Body1>{JSON.stringify(wish ?? texts.parts.sheets)}</Body1>;
}
