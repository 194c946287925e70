import {
  Button,
  type ButtonProps,
  Caption1,
  makeStyles,
  mergeClasses,
  Spinner,
  Subtitle2,
  tokens,
} from "@fluentui/react-components";
import type { ComponentProps, ReactNode } from "react";

const useStyles = makeStyles({
  stack: { display: "grid", gridTemplateColumns: "minmax(0, 1fr)", minWidth: 0 },
  atStart: { justifyItems: "start" },
  row: { display: "flex", flexWrap: "wrap", minWidth: 0 },
  oneLine: { flexWrap: "nowrap" },
  spread: { justifyContent: "space-between" },
  center: { alignItems: "center" },
  baseline: { alignItems: "baseline" },
  start: { alignItems: "start" },
  end: { alignItems: "end" },
  list: { listStyleType: "none", margin: 0, padding: 0 },
  bar: { display: "block", width: "100%", height: "4px", accentColor: tokens.colorCompoundBrandBackground },
});

const useGaps = makeStyles({
  XXS: { gap: tokens.spacingHorizontalXXS },
  XS: { gap: tokens.spacingHorizontalXS },
  S: { gap: tokens.spacingHorizontalS },
  M: { gap: tokens.spacingHorizontalM },
  L: { gap: tokens.spacingHorizontalL },
  XXL: { gap: tokens.spacingHorizontalXXL },
});

type Tag = "article" | "div" | "dl" | "fieldset" | "form" | "label" | "section" | "span" | "ul";

type LayoutProps<T extends Tag> = ComponentProps<T> & {
  /** Default a div. */
  as?: T;
  /** Space between the pieces; default S. */
  gap?: keyof ReturnType<typeof useGaps>;
};

/** Pieces below each other; long words and tables cannot make it wider than its place. */
export function Stack<T extends Tag = "div">(props: LayoutProps<T> & { isAtStart?: boolean }) {
  const {
    as: Element = "div",
    gap = "S",
    isAtStart,
    className,
    ...others
  } = props as LayoutProps<"div"> & {
    /** Whether pieces keep their own width; default they are as wide as the stack. */
    isAtStart?: boolean;
  };
  const styles = useStyles();
  const look = mergeClasses(styles.stack, useGaps()[gap], isAtStart && styles.atStart, className);
  return <Element {...others} className={look} />;
}

interface RowOptions {
  align?: "center" | "baseline" | "start" | "end";
  /** Whether the pieces take the whole width, with the space between them. */
  isSpread?: boolean;
  /** Whether they stay on one line where the pane is narrow. */
  isOneLine?: boolean;
}

/** Pieces beside each other, on several lines where the pane is narrow. */
export function Row<T extends Tag = "div">(props: LayoutProps<T> & RowOptions) {
  const {
    as: Element = "div",
    gap = "S",
    align,
    isSpread,
    isOneLine,
    ...others
  } = props as LayoutProps<"div"> & RowOptions;
  const styles = useStyles();
  const look = mergeClasses(
    styles.row,
    useGaps()[gap],
    align && styles[align],
    isSpread && styles.spread,
    isOneLine && styles.oneLine,
    others.className,
  );
  return <Element {...others} className={look} />;
}

interface ListProps extends ComponentProps<"ol"> {
  /** Space between the items; default none. */
  gap?: keyof ReturnType<typeof useGaps>;
}

/** A list without marks. */
export function PlainList({ gap, className, ...others }: ListProps) {
  const styles = useStyles();
  const gaps = useGaps();
  const look = mergeClasses(styles.list, gap && styles.stack, gap && gaps[gap], className);
  // biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list
  return <ol role="list" {...others} className={look} />;
}

/** What recurs in the look of texts and fields. */
export const useLook = makeStyles({
  muted: { color: tokens.colorNeutralForeground3 },
  second: { color: tokens.colorNeutralForeground2 },
  good: { color: tokens.colorStatusSuccessForeground3 },
  bad: { color: tokens.colorStatusDangerForeground3 },
  strong: { fontWeight: tokens.fontWeightSemibold },
  small: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  code: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
  numbers: { fontVariantNumeric: "tabular-nums" },
  /** Breaks long words. */
  breaking: { minWidth: 0, overflowWrap: "anywhere" },
  /** Ends in dots where it is too long for its line. */
  cut: { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  /** As wide as its place, which the toolkit's fields are not in a narrow pane. */
  wide: { width: "100%", minWidth: 0 },
  /** Takes the space that others leave. */
  growing: { flex: "1 1 auto", minWidth: 0 },
  /** Keeps its width, in a row. */
  fixed: { flexShrink: 0 },
  /** Keeps its width, in a stack. */
  atStart: { justifySelf: "start" },
  /** For screen readers alone. */
  unseen: { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" },
  /** Stays in sight below what is long, as wide as the pane. */
  bar: {
    position: "sticky",
    bottom: 0,
    zIndex: 1,
    margin: `0 calc(-1 * ${tokens.spacingHorizontalL})`,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  aboveXXS: { marginTop: tokens.spacingVerticalXXS },
  /** What takes the focus for screen readers alone. */
  target: { ":focus": { outlineStyle: "none" } },
  aboveXS: { marginTop: tokens.spacingVerticalXS },
  aboveS: { marginTop: tokens.spacingVerticalS },
  aboveM: { marginTop: tokens.spacingVerticalM },
  belowS: { marginBottom: tokens.spacingVerticalS },
  belowXS: { marginBottom: tokens.spacingVerticalXS },
  belowM: { marginBottom: tokens.spacingVerticalM },
});

type BusyButtonProps = ComponentProps<"button"> & Pick<ButtonProps, "appearance" | "size"> & { isBusy: boolean };

/** A button of something that takes its time: a spinner shows that it runs, and it cannot be pressed again. */
export function BusyButton({ isBusy, ...button }: BusyButtonProps) {
  const icon = isBusy ? <Spinner size="extra-tiny" aria-hidden /> : undefined;
  return <Button {...(button as ButtonProps)} disabledFocusable={isBusy} icon={icon} />;
}

/** What a button says and does; `hint` where the label alone does not say. One that runs cannot be pressed again. */
export interface Action {
  label: string;
  hint?: string;
  isBusy?: boolean;
  act: () => void;
}

/** Small buttons, for a row. */
export const Buttons = ({ actions }: { actions: readonly Action[] }) =>
  actions.map(({ label, hint, isBusy, act }) => (
    <Button key={label} size="small" title={hint} disabledFocusable={isBusy} onClick={act}>
      {label}
    </Button>
  ));

const useMessages = makeStyles({
  bar: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalMNudge} ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderLeft: `4px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    overflowWrap: "anywhere",
  },
  info: {},
  success: {
    backgroundColor: tokens.colorStatusSuccessBackground1,
    borderLeftColor: tokens.colorStatusSuccessForeground3,
  },
  warning: {
    backgroundColor: tokens.colorStatusWarningBackground1,
    borderLeftColor: tokens.colorStatusWarningForeground3,
  },
  error: { backgroundColor: tokens.colorStatusDangerBackground1, borderLeftColor: tokens.colorStatusDangerForeground3 },
  actions: { gridColumn: "1 / -1", justifyContent: "end", marginTop: tokens.spacingVerticalMNudge },
});

/** The place of messages above what scrolls; a long one scrolls by itself. */
export const usePinned = makeStyles({
  place: {
    flexShrink: 0,
    maxHeight: "40vh",
    overflowY: "auto",
    ":not(:empty)": { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}` },
  },
});

interface MessageProps extends ComponentProps<"div"> {
  intent: "info" | "success" | "warning" | "error";
  /** Its buttons; default none. */
  actions?: readonly Action[] | undefined;
  /** Behind its text; default nothing. */
  aside?: ReactNode;
}

/** A message with its buttons. */
export function Message({ intent, actions = [], aside, className, children, ...message }: MessageProps) {
  const styles = useMessages();
  return (
    <div {...message} className={mergeClasses(styles.bar, styles[intent], className)}>
      <div>{children}</div>
      {aside}
      {actions.length > 0 && (
        <Row className={styles.actions}>
          <Buttons actions={actions} />
        </Row>
      )}
    </div>
  );
}

const useHeadings = makeStyles({
  heading: { margin: 0 },
  small: { fontSize: tokens.fontSizeBase300 },
  XXS: { marginBottom: tokens.spacingVerticalXXS },
  XS: { marginBottom: tokens.spacingVerticalXS },
  S: { marginBottom: tokens.spacingVerticalS },
});

/** A caption in the colour of secondary text. */
export function Hint({ className, ...caption }: ComponentProps<typeof Caption1>) {
  return <Caption1 {...caption} className={mergeClasses(useLook().muted, className)} />;
}

interface HeadingProps extends Pick<ComponentProps<typeof Subtitle2>, "id" | "children"> {
  /** Default h2. */
  as?: "h2" | "h3";
  /** Space below; default none. */
  gap?: "XXS" | "XS" | "S";
  /** Whether it has the size of body text. */
  isSmall?: boolean;
}

/** The heading of a section. */
export function Heading({ as = "h2", gap, isSmall = false, ...heading }: HeadingProps) {
  const styles = useHeadings();
  const look = mergeClasses(styles.heading, gap && styles[gap], isSmall && styles.small);
  return <Subtitle2 as={as} block className={look} {...heading} />;
}

/** How far something is, out of `max`; at 0 the bar is indeterminate, since an empty one looks idle. */
export function Bar({ value, className, ...bar }: ComponentProps<"progress"> & { value: number }) {
  const look = mergeClasses(useStyles().bar, className);
  return <progress {...bar} className={look} value={value > 0 ? value : undefined} />;
}

interface ProgressProps {
  /** What is under way, for screen readers. */
  label: string;
  /** From 0 to 1. */
  share: number;
  cancel: () => void;
  cancelText: string;
  /** How far it is, in words. */
  children: ReactNode;
}

/** The progress of something that can be cancelled. */
export function Progress({ label, share, cancel, cancelText, children }: ProgressProps) {
  return (
    <Stack gap="XS">
      <Row gap="M" align="center" isSpread isOneLine>
        <Caption1>{children}</Caption1>
        <Button size="small" className={useLook().fixed} onClick={cancel}>
          {cancelText}
        </Button>
      </Row>
      <Bar aria-label={label} value={share} />
    </Stack>
  );
}
