import { Button, makeStyles, tokens, typographyStyles } from "@fluentui/react-components";
import { type ReactNode, useEffect, useRef } from "react";
import { usePane } from "../pane";
import type { Parts } from "./use-parts";

const useStyles = makeStyles({
  page: { padding: tokens.spacingHorizontalL, "&[hidden]": { display: "none" } },
  head: {
    display: "flex",
    alignItems: "center",
    columnGap: tokens.spacingHorizontalS,
    marginBottom: tokens.spacingVerticalM,
  },
  title: { ...typographyStyles.subtitle2, margin: 0, scrollMarginTop: "8em", ":focus": { outlineStyle: "none" } }, // below the sticky head
});

interface SettingsPageProps extends Pick<Parts, "opener"> {
  isShown: boolean;
  leave: () => void;
  children: ReactNode;
}

/** The page of settings, in the place of the tabs. Its heading takes the focus, which Back returns. */
export function SettingsPage({ isShown, leave, opener, children }: SettingsPageProps) {
  const { ofHead } = usePane().texts;
  const styles = useStyles();
  const title = useRef<HTMLHeadingElement>(null);
  const isReturning = useRef(false);
  useEffect(() => {
    if (isShown) title.current?.focus();
    else if (isReturning.current) returnFocus(opener.current);
    isReturning.current = false;
  }, [isShown, opener]);
  const back = () => {
    isReturning.current = true;
    leave();
  };
  return (
    <section hidden={!isShown} aria-labelledby="settings" className={styles.page}>
      <div className={styles.head}>
        <Button size="small" onClick={back}>
          <span aria-hidden>‹&nbsp;</span>
          {ofHead.back}
        </Button>
        <h2 id="settings" ref={title} tabIndex={-1} className={styles.title}>
          {ofHead.settings}
        </h2>
      </div>
      {children}
    </section>
  );
}

/** An element that has gone, as a button of a message, gives the focus to the shown tab. */
function returnFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus();
  if (document.activeElement === opener && opener !== document.body) return;
  document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
}
