import { Body1 } from "@fluentui/react-components";
import { usePane, type Wishes } from "./pane";

export function Build({ wish }: { wish: Wishes["build"] | undefined }) {
  const { texts } = usePane();
  return <Body1>{JSON.stringify(wish ?? texts.parts.build)}</Body1>;
}
