import { makeStyles } from "@fluentui/react-components";
import { Children, type ReactNode, type Ref } from "react";

const useStyles = makeStyles({ place: { order: 1, flexBasis: "100%", minWidth: 0 } });

/**
 * What the head tells of by itself. Its place is always there, so that screen readers hear of what comes into it; empty, it
 * is no status that anybody should come across.
 */
export function Told({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  const isEmpty = Children.toArray(children).length === 0;
  return (
    <div ref={ref} role={isEmpty ? undefined : "status"} aria-live="polite" className={useStyles().place}>
      {children}
    </div>
  );
}
