import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { ComponentProps } from "react";

const useStyles = makeStyles({
  text: {
    boxSizing: "border-box",
    width: "100%",
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderBottomColor: tokens.colorNeutralStrokeAccessible,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    resize: "vertical",
    ":read-only": { backgroundColor: tokens.colorNeutralBackground3 },
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
});

/** A field of several lines, for ids and keys rather than for prose. The toolkit's own weighs more than it does. */
export function TextArea({ className, ...area }: ComponentProps<"textarea">) {
  return <textarea spellCheck={false} {...area} className={mergeClasses(useStyles().text, className)} />;
}
