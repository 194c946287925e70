import { Body1, Field, makeStyles, Select, Switch, tokens } from "@fluentui/react-components";
import { useMemo, useState, useSyncExternalStore } from "react";
import { NAME_CHOICES, type PersistedSettings, toRequestLimit, toTimeZone } from "../../session/persisted-settings";
import { type Settings, toCountry } from "../../session/settings";
import { Choice, listCountries, listTimeZones } from "../Choice";
import type { Host } from "../host";
import { Heading, Hint, Message } from "../layout";
import type { PaneContext } from "../pane";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  refusal: { ":not(:empty)": { marginTop: tokens.spacingVerticalS } },
});

const TIME_ZONES = listTimeZones();

const REQUEST_LIMITS = ["50", "100", "200", "500", "1000"].map((value) => ({ value }));

type WorkbookSettingsProps = Pick<PaneContext, "session" | "host" | "persist" | "texts">;

/** The settings that the workbook stores. */
export function WorkbookSettings({ session, host, persist, texts }: WorkbookSettingsProps) {
  const styles = useStyles();
  const settings = useSyncExternalStore(session.subscribe, () => session.settings);
  const [refusal, setRefusal] = useState<string | null>(null);
  const choose = async (chosen: Partial<PersistedSettings>) => {
    session.change(chosen);
    setRefusal(null);
    const { numberProperties, companyNames, country, timeZone, requestLimit } = session.settings;
    try {
      await persist({ numberProperties, companyNames, country, timeZone, requestLimit });
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section>
      <Heading gap="S">{texts.workbook}</Heading>
      {host.hasNumberProperties ? (
        <NumberProperties settings={settings} choose={choose} texts={texts} />
      ) : (
        <Body1>{texts.noNumberProperties}</Body1>
      )}
      <Defaults settings={settings} choose={choose} host={host} texts={texts} />
      <div role="status" className={styles.refusal}>
        {refusal !== null && <Message intent="warning">{texts.notPersisted(refusal)}</Message>}
      </div>
    </section>
  );
}

interface SettingsProps {
  settings: PersistedSettings;
  choose: (chosen: Partial<PersistedSettings>) => Promise<void>;
  texts: Texts;
}

/** The switch for properties of numbers. */
function NumberProperties({ settings, choose, texts }: SettingsProps) {
  return (
    <>
      <Switch
        checked={settings.numberProperties}
        label={texts.numberProperties}
        onChange={(_, { checked }) => void choose({ numberProperties: checked })}
      />
      <Hint block>{texts.numberPropertiesHint}</Hint>
    </>
  );
}

/** The defaults of formulas. */
function Defaults({ settings, choose, host, texts }: SettingsProps & { host: Host }) {
  const countries = useMemo(() => listCountries(host.language, texts), [host.language, texts]);
  return (
    <>
      <Field label={texts.companyNames} hint={texts.companyNamesHint}>
        <Select
          value={settings.companyNames}
          onChange={(_, { value }) => void choose({ companyNames: value as Settings["companyNames"] })}
        >
          {NAME_CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {texts.companyNamesBy[choice]}
            </option>
          ))}
        </Select>
      </Field>
      <Choice
        label={texts.defaultCountry}
        hint={texts.defaultCountryHint}
        value={settings.country}
        proposals={countries}
        read={toCountry}
        advice={texts.noCountry}
        stillHolds={texts.stillHolds}
        onChoose={(country) => void choose({ country })}
      />
      <Choice
        label={texts.timeZone}
        hint={texts.timeZoneHint}
        value={settings.timeZone}
        proposals={TIME_ZONES}
        read={toTimeZone}
        advice={texts.noTimeZone}
        stillHolds={texts.stillHolds}
        onChoose={(timeZone) => void choose({ timeZone })}
      />
      <Choice
        label={texts.requestLimit}
        hint={texts.requestLimitHint}
        value={String(settings.requestLimit)}
        proposals={REQUEST_LIMITS}
        read={(written) => toRequestLimit(written)?.toString() ?? null}
        advice={texts.noRequestLimit}
        stillHolds={texts.stillHolds}
        onChoose={(limit) => void choose({ requestLimit: Number(limit) })}
      />
    </>
  );
}
