import { makeStyles, tokens } from "@fluentui/react-components";
import { useMemo } from "react";
import { toCountry } from "../../session/settings";
import { Choice, listCountries } from "../Choice";
import { usePane } from "../pane";

const useStyles = makeStyles({
  country: {
    flex: "0 0 6em",
    marginTop: `calc(-1 * ${tokens.spacingVerticalM})`, // beside another field, without the space of a choice below one
    "& input": { width: "100%", minWidth: 0 },
  },
});

interface CountryProps {
  country: string;
  onChoose: (country: string) => void;
}

/** The country to search; it takes codes beside the proposed ones. */
export function Country({ country, onChoose }: CountryProps) {
  const { host, texts } = usePane();
  const styles = useStyles();
  const countries = useMemo(() => listCountries(host.language, texts), [host.language, texts]);
  return (
    <div className={styles.country}>
      <Choice
        label={texts.ofFind.country}
        value={country}
        proposals={countries}
        read={toCountry}
        advice={texts.noCountry}
        stillHolds={texts.stillHolds}
        onChoose={onChoose}
      />
    </div>
  );
}
