import { Field, makeStyles, Select } from "@fluentui/react-components";

const useStyles = makeStyles({
  field: { gridTemplateColumns: "minmax(0, 1fr)" }, // cuts a long value at the pane's edge
});

interface PickProps<V extends string | number> {
  label: string;
  hint?: string;
  value: V;
  values: readonly V[];
  /** The name of a value. */
  name: (value: V) => string;
  onPick: (value: V) => void;
}

/** A choice among a few values. */
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
