import { Button } from "@fluentui/react-components";
import type { Fix } from "./fix";

/** The buttons that mend a formula. */
export const FixButtons = ({ fixes }: { fixes: readonly Fix[] }) =>
  fixes.map(({ label, hint, act }) => (
    <Button key={label} size="small" title={hint} onClick={act}>
      {label}
    </Button>
  ));
