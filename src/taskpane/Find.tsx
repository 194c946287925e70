import { Body1 } from "@fluentui/react-components";
import { usePane, type Wishes } from "./pane";

export function Find({ wish }: { wish: Wishes["find"] | undefined }) {
  const { texts } = usePane();
  return <Body1>{JSON.stringify(wish ?? texts.parts.find)}</Body1>;
}
