import { makeStyles } from "@fluentui/react-components";
import { Children, type ReactNode, type Ref } from "react";

const useStyles = makeStyles({ place: { flexBasis: "100%", minWidth: 0 } });

interface AnnouncementProps {
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/**
 * A live region of the head. It is always mounted, so that screen readers announce its content; empty, it
 * has no role.
 */
export function Announcement({ children, ref }: AnnouncementProps) {
  const isEmpty = Children.toArray(children).length === 0;
  return (
    <div ref={ref} role={isEmpty ? undefined : "status"} aria-live="polite" className={useStyles().place}>
      {children}
    </div>
  );
}
