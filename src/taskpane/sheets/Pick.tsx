import { Field, Select } from "@fluentui/react-components";

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
  return (
    <Field label={label} hint={hint}>
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
