import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";

const useStyles = makeStyles({
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

interface FoldProps {
  isOpen: boolean;
  toggle: () => void;
  className?: string;
  children: ReactNode;
}

/** A line that unfolds what stands below it. */
export function Fold({ isOpen, toggle, className, children }: FoldProps) {
  const styles = useStyles();
  return (
    <button type="button" className={mergeClasses(styles.button, className)} aria-expanded={isOpen} onClick={toggle}>
      <span aria-hidden className={styles.mark}>
        {isOpen ? "▾" : "▸"}
      </span>
      {children}
    </button>
  );
}
