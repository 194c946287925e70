import { Field, makeStyles, Select } from "@fluentui/react-components";

const useStyles = makeStyles({
  field: { gridTemplateColumns: "minmax(0, 1fr)" }, // a long value is cut before the pane's edge, not after it
});

interface PickProps<V extends string | number> {
  label: string;
  hint?: string;
  value: V;
  values: readonly V[];
  /** What a value is called. */
  name: (value: V) => string;
  onPick: (value: V) => void;
}

/** One of a few values. */
export function Pick<V extends string | number>({ label, hint, value, values, name, onPick }: PickProps<V>) {
  const styles = useStyles();
  return (
    <Field className={styles.field} label={label} hint={hint}>
      <Select
        value={String(value)}
        onChange={(_, { value: picked }) => onPick(values.find((each) => String(each) === picked) ?? value)}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {name(each)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
