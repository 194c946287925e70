import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { Fold } from "../Fold";
import { Hint, useLook } from "../layout";

const useStyles = makeStyles({
  line: {
    display: "flex",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalXS} 0`,
    cursor: "pointer",
    lineHeight: tokens.lineHeightBase300,
  },
  mark: {
    // Drawn as Fluent's; with forced colours the browser draws it.
    appearance: "none",
    flexShrink: 0,
    boxSizing: "border-box",
    width: "16px",
    height: "16px",
    margin: "2px 0 0",
    cursor: "inherit",
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    ":checked": { border: `1px solid ${tokens.colorCompoundBrandStroke}` },
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "2px" },
    "@media (forced-colors: active)": { appearance: "auto" },
  },
  checkbox: {
    borderRadius: tokens.borderRadiusSmall,
    ":checked": { backgroundColor: tokens.colorCompoundBrandBackground },
    ":checked::before": {
      content: '"✓"',
      display: "block",
      color: tokens.colorNeutralForegroundInverted,
      fontSize: "12px",
      lineHeight: "14px",
      textAlign: "center",
    },
  },
  radio: {
    borderRadius: tokens.borderRadiusCircular,
    ":checked": {
      backgroundColor: tokens.colorCompoundBrandBackground,
      boxShadow: `inset 0 0 0 3px ${tokens.colorNeutralBackground1}`,
    },
  },
});

interface MarkProps {
  type: "checkbox" | "radio";
  label: string;
  hint?: string;
  /** The name shared by radio buttons of one choice. */
  group?: string;
  checked: boolean;
  onChange: () => void;
}

/** A checkbox or radio button; Fluent's own would weigh more than the rest of a form. */
export function Mark({ type, label, hint, group, checked, onChange }: MarkProps) {
  const styles = useStyles();
  return (
    <label className={styles.line}>
      <input
        type={type}
        name={group}
        checked={checked}
        className={mergeClasses(styles.mark, styles[type])}
        onChange={onChange}
      />
      <span>
        {label}
        {hint !== undefined && <Hint block>{hint}</Hint>}
      </span>
    </label>
  );
}

const useChecksStyles = makeStyles({
  list: { paddingLeft: tokens.spacingHorizontalS },
});

interface ChecksProps {
  /** Title with the number of chosen options. */
  title: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  mistake: string | undefined;
  /** Receives the values in the order of the options. */
  onChoose: (chosen: string[]) => void;
}

/** A list of checkboxes that unfolds; open where it has a mistake. */
export function Checks({ title, options, chosen, mistake, onChoose }: ChecksProps) {
  const styles = useChecksStyles();
  const look = useLook();
  const toggle = (value: string) =>
    onChoose(options.map((option) => option.value).filter((each) => (each === value) !== chosen.includes(each)));
  return (
    <Fold isPlain title={title} isOpen={mistake !== undefined}>
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
        <div role="alert" className={mergeClasses(look.bad, look.small)}>
          {mistake}
        </div>
      )}
    </Fold>
  );
}
