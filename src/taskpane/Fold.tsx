import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";

const useStyles = makeStyles({
  summary: {
    cursor: "pointer",
    borderRadius: tokens.borderRadiusSmall,
    lineHeight: tokens.lineHeightBase300,
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "2px" },
  },
  title: { display: "inline", margin: 0, fontSize: "inherit", fontWeight: tokens.fontWeightSemibold },
  aside: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, overflowWrap: "anywhere" },
  content: { marginTop: tokens.spacingVerticalS },
});

interface FoldProps {
  title: string;
  /** Whether it is a detail of its surroundings, not a section with a heading. */
  isPlain?: boolean;
  /** Text beside the title; default none. */
  summary?: string;
  /** Open until the person folds it, and again when this changes; default false. */
  isOpen?: boolean | undefined;
  /** Called when it unfolds. */
  onOpen?: () => void;
  children: ReactNode;
}

/** A section that folds. */
export function Fold({ title, isPlain = false, summary = "", isOpen = false, onOpen, children }: FoldProps) {
  const styles = useStyles();
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}>
      <summary className={styles.summary}>
        {isPlain ? title : <h2 className={styles.title}>{title}</h2>} <span className={styles.aside}>{summary}</span>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}

const useFoldStyles = makeStyles({
  button: {
    display: "flex",
    alignItems: "baseline",
    columnGap: tokens.spacingHorizontalXS,
    width: "100%",
    minWidth: 0,
    padding: `${tokens.spacingVerticalXXS} 0`,
    border: "none",
    borderRadius: tokens.borderRadiusSmall,
    background: "none",
    color: "inherit",
    font: "inherit",
    textAlign: "start",
    cursor: "pointer",
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "1px" },
    ":hover": { backgroundColor: tokens.colorSubtleBackgroundHover },
  },
  mark: { flexShrink: 0, width: "12px", color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

interface FoldLineProps {
  isOpen: boolean;
  toggle: () => void;
  className?: string;
  children: ReactNode;
}

/** A line that unfolds the content below it. */
export function FoldLine({ isOpen, toggle, className, children }: FoldLineProps) {
  const styles = useFoldStyles();
  return (
    <button type="button" className={mergeClasses(styles.button, className)} aria-expanded={isOpen} onClick={toggle}>
      <span aria-hidden className={styles.mark}>
        {isOpen ? "▾" : "▸"}
      </span>
      {children}
    </button>
  );
}
