import { makeStyles, tokens } from "@fluentui/react-components";
import { Fold } from "../Fold";
import { Mark } from "./Mark";

const useStyles = makeStyles({
  list: { display: "flex", flexDirection: "column", paddingLeft: tokens.spacingHorizontalS },
  mistake: { color: tokens.colorStatusDangerForeground3, fontSize: tokens.fontSizeBase200 },
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
        <div role="alert" className={styles.mistake}>
          {mistake}
        </div>
      )}
    </Fold>
  );
}
