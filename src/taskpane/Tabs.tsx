import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useRef } from "react";

const useStyles = makeStyles({
  tabs: { display: "flex", flexWrap: "wrap" },
  tab: {
    position: "relative",
    paddingBlock: tokens.spacingVerticalSNudge,
    paddingInline: tokens.spacingHorizontalS,
    border: "none",
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: "transparent",
    color: tokens.colorNeutralForeground2,
    fontFamily: "inherit",
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    cursor: "pointer",
    "@media (max-width: 340px)": { paddingInline: tokens.spacingHorizontalSNudge },
    // the pane of Excel on Mac
    "@media (max-width: 300px)": {
      paddingInline: "3px",
      fontSize: tokens.fontSizeBase200,
    },
    ":hover": { color: tokens.colorNeutralForeground1Hover, backgroundColor: tokens.colorSubtleBackgroundHover },
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "-2px" },
  },
  shown: {
    color: tokens.colorNeutralForeground1,
    fontWeight: tokens.fontWeightSemibold,
    "::after": {
      content: '""',
      position: "absolute",
      inset: `auto ${tokens.spacingHorizontalS} 0`,
      height: tokens.strokeWidthThick,
      backgroundColor: tokens.colorCompoundBrandStroke,
      "@media (forced-colors: active)": { backgroundColor: "Highlight" },
    },
  },
});

/** The tab that each key leads to, from one of `count`. */
const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

interface TabsProps<T extends string> {
  label: string;
  tabs: Readonly<Record<T, string>>;
  shown: T;
  open: (tab: T) => void;
  /** The beginning of the ids, for {@link toTabIds}. */
  id: string;
  className?: string;
}

/** Tabs, of which the chosen one is in the tab order; arrow keys move the focus, Enter chooses. */
export function Tabs<T extends string>({ label, tabs, shown, open, id, className }: TabsProps<T>) {
  const styles = useStyles();
  const list = useRef<HTMLDivElement>(null);
  const names = Object.keys(tabs) as T[];
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const index = STEPS[event.key]?.(buttons.indexOf(document.activeElement as HTMLButtonElement), buttons.length);
    if (index === undefined) return;
    event.preventDefault();
    buttons[index]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={mergeClasses(styles.tabs, className)} onKeyDown={move}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={toTabIds(id, name).tab}
          aria-controls={toTabIds(id, name).panel}
          aria-selected={name === shown}
          tabIndex={name === shown ? 0 : -1}
          className={mergeClasses(styles.tab, name === shown && styles.shown)}
          onClick={() => open(name)}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
}

/** The ids by which a tab and its panel refer to each other. */
export const toTabIds = (id: string, name: string) => ({ tab: `${id}-tab-${name}`, panel: `${id}-${name}` });
