import { Caption1, makeStyles, mergeClasses, Subtitle2, tokens } from "@fluentui/react-components";
import type { ComponentProps } from "react";

const useStyles = makeStyles({
  hint: { color: tokens.colorNeutralForeground3 },
  heading: { margin: 0 },
  small: { fontSize: tokens.fontSizeBase300 },
  XXS: { marginBottom: tokens.spacingVerticalXXS },
  XS: { marginBottom: tokens.spacingVerticalXS },
  S: { marginBottom: tokens.spacingVerticalS },
});

/** A caption in the colour of secondary text. */
export function Hint({ className, ...caption }: ComponentProps<typeof Caption1>) {
  return <Caption1 {...caption} className={mergeClasses(useStyles().hint, className)} />;
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
  const styles = useStyles();
  const look = mergeClasses(styles.heading, gap && styles[gap], isSmall && styles.small);
  return <Subtitle2 as={as} block className={look} {...heading} />;
}
