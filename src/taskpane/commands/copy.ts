import type { Desk } from "./desk";
import { showPane } from "./office";
import { namePlaces } from "./places";

/** Opens a copy of the workbook with values only, and says what is not as it should be in it or here. */
export async function copyValues({ workbook, notify, texts }: Desk): Promise<void> {
  const { copying, copied, leftInCopy, leftFrozen } = texts.ofCommands;
  void showPane();
  const { left, changed } = await workbook.copyValues((step) => notify({ intent: "info", text: copying[step] }));
  const rest = [
    ...(left.length > 0 ? [leftInCopy(left.length, ...namePlaces(left))] : []),
    ...(changed.length > 0 ? [leftFrozen(changed.length, ...namePlaces(changed))] : []),
  ];
  notify({ intent: rest.length === 0 ? "success" : "warning", text: [copied, ...rest].join(" ") });
}
