import { makeStyles, tokens } from "@fluentui/react-components";
import { Mark } from "./Mark";

const useStyles = makeStyles({
  summary: {
    cursor: "pointer",
    borderRadius: tokens.borderRadiusSmall,
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "2px" },
  },
  list: { display: "flex", flexDirection: "column", paddingLeft: tokens.spacingHorizontalS },
  mistake: { color: tokens.colorPaletteRedForeground1, fontSize: tokens.fontSizeBase200 },
});

interface ChecksProps {
  /** What they are, with how many are chosen. */
  title: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  mistake: string | undefined;
  /** Is given the values in the order of the options. */
  onChoose: (chosen: string[]) => void;
}

/** Several of a list, which unfolds; opened by itself where something is wrong with it. */
export function Checks({ title, options, chosen, mistake, onChoose }: ChecksProps) {
  const styles = useStyles();
  const toggle = (value: string) =>
    onChoose(options.map((option) => option.value).filter((each) => (each === value) !== chosen.includes(each)));
  return (
    <details open={mistake === undefined ? undefined : true}>
      <summary className={styles.summary}>{title}</summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw what the summary says already. */}
      <div role="group" aria-label={title} className={styles.list}>
        {options.map(({ value, label }) => (
          <Mark
            key={value}
            type="checkbox"
            label={label}
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />
        ))}
      </div>
      {mistake !== undefined && (
        <div role="alert" className={styles.mistake}>
          {mistake}
        </div>
      )}
    </details>
  );
}
