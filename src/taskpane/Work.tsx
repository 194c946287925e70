import { Button, Caption1, ProgressBar } from "@fluentui/react-components";
import { Row, Stack, useLook } from "./layout";

interface WorkProps {
  /** What is done, and how far it is. */
  text: string;
  /** The bar's name for screen readers. */
  label: string;
  /** The share that is done, 0 to 1; 0 while it is not known. */
  share: number;
  /** The button that ends it. */
  end: string;
  onEnd: () => void;
}

/** Work under way, which the person can end. */
export function Work({ text, label, share, end, onEnd }: WorkProps) {
  return (
    <Stack gap="XS">
      <Row align="center" isSpread isOneLine>
        <Caption1>{text}</Caption1>
        <Button size="small" className={useLook().fixed} onClick={onEnd}>
          {end}
        </Button>
      </Row>
      <ProgressBar aria-label={label} {...(share > 0 && { value: share })} />
    </Stack>
  );
}
