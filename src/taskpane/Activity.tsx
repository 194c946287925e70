import { Body1 } from "@fluentui/react-components";
import { usePane } from "./pane";

export function Activity() {
  const { texts } = usePane();
  return <Body1>{texts.parts.activity}</Body1>;
}
