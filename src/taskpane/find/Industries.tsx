import { Body1, Button, Caption1, Field, Input, makeStyles, tokens } from "@fluentui/react-components";
import { useMemo, useState } from "react";
import { useInsert } from "../insert";
import { Heading, Hint, Row, Stack, useLook } from "../layout";
import { usePane } from "../pane";
import { useQuery } from "../query";
import { toConstituents } from "./CompanyActions";
import { Country } from "./Country";
import { type Branch, IndustryTree, pickBranches, readBranches } from "./IndustryTree";
import { Section } from "./Section";

const useStyles = makeStyles({
  chosen: {
    position: "sticky",
    bottom: 0,
    padding: `${tokens.spacingVerticalS} 0`,
    backgroundColor: tokens.colorNeutralBackground1,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
});

interface IndustriesProps {
  country: string;
  onCountry: (country: string) => void;
}

/** Finds a sector, sub-sector or industry in the taxonomy, and inserts its companies into cells. */
export function Industries({ country, onCountry }: IndustriesProps) {
  const { session, texts } = usePane();
  const { ofFind } = texts;
  const look = useLook();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Branch | null>(null);
  const query = useMemo(() => session.feed.taxonomies.queryTree(), [session]);
  const state = useQuery(query);
  return (
    <Stack gap="M">
      <Row align="start" isOneLine>
        <Field label={ofFind.industry} className={look.growing}>
          <Input
            className={look.wide}
            placeholder={ofFind.industryHint}
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
        </Field>
        <Country country={country} onChoose={onCountry} />
      </Row>
      <Section
        title={ofFind.tree}
        level="h2"
        family="tree"
        query={query}
        state={state}
        read={readBranches}
        show={(branches) => <Found {...{ branches, text, chosen }} onChoose={setChosen} />}
      />
      <Chosen branch={chosen} country={country} />
    </Stack>
  );
}

interface FoundProps {
  branches: readonly Branch[];
  text: string;
  chosen: Branch | null;
  onChoose: (branch: Branch) => void;
}

function Found({ branches, text, ...choice }: FoundProps) {
  const { ofFind } = usePane().texts;
  const look = useLook();
  const fitting = pickBranches(branches, text);
  const isSearched = text.trim() !== "";
  return (
    <>
      <div role="status" className={look.muted}>
        {branches.length === 0 && <Body1>{ofFind.noTree}</Body1>}
        {branches.length > 0 && fitting.length === 0 && <Body1>{ofFind.noIndustry(text.trim())}</Body1>}
        {isSearched && fitting.length > 0 && <Caption1>{ofFind.sectors(fitting.length)}</Caption1>}
      </div>
      {fitting.length > 0 && (
        <IndustryTree key={String(isSearched)} branches={fitting} isUnfolded={isSearched} {...choice} />
      )}
    </>
  );
}

/** The chosen node, which stays in sight while the tree scrolls. */
function Chosen({ branch, country }: { branch: Branch | null; country: string }) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  const insert = useInsert();
  if (branch === null) return <Hint>{ofFind.chooseIndustry}</Hint>;
  return (
    <Stack as="section" gap="XS" isAtStart className={styles.chosen} aria-label={branch.name}>
      <Heading as="h3" isSmall>
        {branch.name}
      </Heading>
      <Hint>{[ofFind.levels[branch.level], ...branch.path, branch.id].join(" · ")}</Hint>
      {branch.description !== null && <Caption1>{branch.description}</Caption1>}
      <Button
        size="small"
        appearance="primary"
        onClick={() => void insert({ cells: [[{ formula: toConstituents(branch, country) }]] })}
      >
        {ofFind.insertConstituents(country)}
      </Button>
    </Stack>
  );
}
