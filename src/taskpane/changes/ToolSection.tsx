import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useRef, useState } from "react";
import { Heading, Hint } from "../layout";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { ScriptPart } from "../pane/ScriptPart";
import type { ChangesTool } from "../tool";

const useStyles = makeStyles({
  section: {
    display: "grid",
    rowGap: tokens.spacingVerticalXS,
    justifyItems: "start",
    minWidth: 0,
    scrollMarginTop: "8em", // below the sticky head
    "& > *": { minWidth: 0, maxWidth: "100%" },
    ":focus": { outline: "none" }, // it takes focus only for screen readers
  },
});

/** A tool, whose script loads when somebody wants it. */
export function ToolSection({ tool, handoff }: { tool: ChangesTool; handoff: Handoffs["changes"] | undefined }) {
  const { language } = usePane().texts;
  const styles = useStyles();
  const section = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  useHandoff(handoff?.about === tool.id ? handoff : undefined, () => {
    section.current?.scrollIntoView?.();
    section.current?.focus();
    setOpen(true);
  });
  const title = tool.title[language];
  return (
    <section ref={section} tabIndex={-1} className={styles.section} aria-label={title}>
      <Heading isSmall>{title}</Heading>
      {isOpen ? (
        <ScriptPart script={tool.script} name={title}>
          {(Tool) => <Tool />}
        </ScriptPart>
      ) : (
        <>
          <Hint>{tool.hint[language]}</Hint>
          <Button size="small" onClick={() => setOpen(true)}>
            {tool.begin[language]}
          </Button>
        </>
      )}
    </section>
  );
}
