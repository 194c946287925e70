import { Link } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { FAMILIES } from "../../contract/constants";
import { REFRESH_POLICIES } from "../../session/persisted-settings";
import type { LastRefresh } from "../../session/refreshing";
import { type RefreshPolicies, toPolicies } from "../../session/settings";
import { toRefreshedText } from "../commands/RefreshNotice";
import { Fold } from "../Fold";
import { Hint, Stack } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";
import { Pick } from "./fields";
import { useStoredSettings } from "./MadeSheets";

/** The workbook's policy of refreshing: when it opens, or every few minutes. */
export function Refreshing() {
  const { session, workbook, notify, texts } = usePane();
  const { refresh } = useSyncExternalStore(session.subscribe, () => session.settings);
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const last = useSyncExternalStore(session.subscribe, () => session.refreshing.state().last);
  const nextAtMs = useSyncExternalStore(session.subscribe, session.schedule.nextAtMs);
  const stored = useStoredSettings();
  const choose = async (policies: RefreshPolicies) => {
    await stored({ refresh: policies });
    if (isTimed(policies) && (await workbook.isManual()))
      notify({ intent: "warning", text: texts.ofRefresh.manualSchedule });
  };
  return (
    <Stack as="section">
      <RefreshPolicy policies={refresh} onChoose={(policies) => void choose(policies)} />
      <Hint>
        {listSayings({ isRunning, last, nextAtMs, isOn: isTimed(refresh) }, texts).map((saying) => (
          <div key={saying}>{saying}</div>
        ))}
        {toWithoutExcel(texts.language)}
      </Hint>
    </Stack>
  );
}

/** How the file is refreshed while nobody has it open. */
function toWithoutExcel(language: Texts["language"]) {
  const { sentence, more, page } = WITHOUT_EXCEL[language];
  return (
    <div>
      {sentence}{" "}
      <Link inline href={`/reference/${page}`} target="_blank" rel="noopener">
        {more}
      </Link>
    </div>
  );
}

/** Here, since only this tab shows them. */
const WITHOUT_EXCEL = {
  en: {
    sentence: "The companion's command feed refresh also refreshes a closed file, once or on a schedule.",
    more: "Refresh without Excel",
    page: "refresh.html",
  },
  ja: {
    sentence: "閉じているファイルも、コンパニオンの feed refresh コマンドで決まった時刻に更新できます。",
    more: "Excel を使わない更新",
    page: "ja/refresh.html",
  },
};

const isTimed = (policies: RefreshPolicies) => Object.values(policies).some((policy) => policy.startsWith("every"));

interface Known {
  isRunning: boolean;
  last: LastRefresh | null;
  nextAtMs: number | null;
  /** Whether a policy refreshes every few minutes. */
  isOn: boolean;
}

/** The last refresh with its result, and the time of the next. */
function listSayings({ isRunning, last, nextAtMs, isOn }: Known, texts: Texts): string[] {
  const { ofSheets, language } = texts;
  const toTime = (ms: number) => new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  return [
    ...(last === null ? [] : [ofSheets.lastAt(toTime(last.atMs), toRefreshedText(last, texts))]),
    ...(isRunning ? [ofSheets.running] : nextAtMs !== null ? [ofSheets.nextAt(toTime(nextAtMs))] : []),
    ...(isOn && !isRunning && nextAtMs === null ? [ofSheets.paused] : []),
  ];
}

interface RefreshPolicyProps {
  policies: RefreshPolicies;
  onChoose: (policies: RefreshPolicies) => void;
}

/** The refresh policy: one for all data, or one per family. */
function RefreshPolicy({ policies, onChoose }: RefreshPolicyProps) {
  const { ofSheets, families } = usePane().texts;
  const { policies: names, mixed } = ofSheets;
  const isMixed = new Set(Object.values(policies)).size > 1;
  const common = isMixed ? MIXED : policies.financials;
  return (
    <Fold title={ofSheets.refreshing} summary={isMixed ? mixed : names[policies.financials]}>
      <Stack>
        <Pick
          label={ofSheets.policy}
          hint={`${isMixed ? ofSheets.mixedHint : ofSheets.policyHints[toKind(policies.financials)]} ${ofSheets.policyHint}`}
          value={common}
          values={isMixed ? [MIXED, ...REFRESH_POLICIES] : REFRESH_POLICIES}
          name={(policy) => (policy === MIXED ? mixed : names[policy])}
          onPick={(policy) => policy !== MIXED && onChoose(toPolicies(policy))}
        />
        <Fold title={ofSheets.byFamily} isPlain isOpen={isMixed}>
          <Stack>
            {FAMILIES.map((family) => (
              <Pick
                key={family}
                label={families[family]}
                value={policies[family]}
                values={REFRESH_POLICIES}
                name={(policy) => names[policy]}
                onPick={(policy) => onChoose({ ...policies, [family]: policy })}
              />
            ))}
          </Stack>
        </Fold>
      </Stack>
    </Fold>
  );
}

const MIXED = "mixed";

/** Groups policies that differ only in their duration. */
const toKind = (policy: RefreshPolicies["financials"]) =>
  policy === "manual" || policy === "open" ? policy : policy.startsWith("open") ? "aged" : "timed";
