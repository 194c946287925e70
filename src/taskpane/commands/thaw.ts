import type { FrozenCell, Scope, Thawed } from "../../contract/workbook";
import type { Desk } from "./desk";
import { listLeft, promptAgain } from "./freeze";
import { showPane } from "./office";

/** Asks for confirmation, then restores the formulas of frozen cells. */
export async function thaw(desk: Desk, scope: Scope): Promise<void> {
  const { workbook, notify, texts } = desk;
  const { nothingToThaw, confirmThaw, thawNow, leftFrozen } = texts.ofCommands;
  void showPane();
  const cells = await workbook.listFrozen(scope);
  const changed = cells.filter(({ isAsFrozen }) => !isAsFrozen);
  const back = cells.length - changed.length;
  const rest = changed.length === 0 ? [] : [leftFrozen(changed.length)];
  if (back === 0) {
    notify({ intent: "info", text: rest[0] ?? nothingToThaw[scope], ...(await listLeft(desk, changed)) });
    return;
  }
  const act = () => void thawConfirmed(desk, scope, cells);
  notify({
    intent: "warning",
    text: [confirmThaw[scope](back), ...rest].join(" "),
    actions: [{ label: thawNow(back), act }],
    ...(await listLeft(desk, changed)),
  });
}

async function thawConfirmed(desk: Desk, scope: Scope, confirmed: readonly FrozenCell[]): Promise<void> {
  const { workbook, notify, texts } = desk;
  try {
    notify({ intent: "info", text: texts.ofCommands.thawing });
    const thawed = await workbook.thaw(scope, confirmed);
    const isWhole = thawed.left.length + thawed.gone === 0;
    notify({
      intent: isWhole ? "success" : "warning",
      text: toOutcome(desk, thawed),
      ...(await listLeft(desk, thawed.left)),
    });
  } catch (error) {
    await promptAgain(desk, error, () => thaw(desk, scope));
  }
}

function toOutcome({ texts }: Desk, { formulas, left, gone }: Thawed): string {
  const { thawed, leftFrozen, goneFrozen } = texts.ofCommands;
  return [
    thawed(formulas),
    ...(left.length > 0 ? [leftFrozen(left.length)] : []),
    ...(gone > 0 ? [goneFrozen(gone)] : []),
  ].join(" ");
}
