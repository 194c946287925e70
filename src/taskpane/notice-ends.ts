import type { Workbook } from "../contract/workbook";
import type { Session } from "../session/session";

/** Watches for what ends a notice; the returned function stops watching. */
export type NoticeEnd = (end: () => void) => () => void;

/** Of a missing connection: once there is one. */
export const untilConnected =
  ({ subscribe, state, offlineSinceMs }: Session): NoticeEnd =>
  (end) =>
    subscribe(() => {
      if (state().status === "connected" && offlineSinceMs() === null) end();
    });

/** Of unconfirmed requests: once nothing waits for the person. */
export const untilConfirmed =
  ({ subscribe, confirmation }: Session): NoticeEnd =>
  (end) =>
    subscribe(() => {
      if (confirmation.waiting() === null) end();
    });

/** Of a refresh: once it is undone, or another one begins. */
export const untilOtherChanges = ({ changes }: Pick<Session, "changes">): NoticeEnd => changes.onChange;

/** Of frozen formulas: once formulas come, as when the host undoes the freezing. */
export const untilFormulasCome =
  ({ calls }: Pick<Session, "calls">): NoticeEnd =>
  (end) => {
    let fewest = calls.list().length;
    return calls.onChange(() => {
      const { length } = calls.list();
      if (length > fewest) end();
      fewest = Math.min(fewest, length);
    });
  };

/**
 * Of what the pane wrote: once it is gone. Hosts report no undo, so that the next selection looks.
 *
 * @param isGone reads whether it is gone; a workbook that cannot be read ends nothing
 */
export const untilGone =
  ({ onSelection }: Pick<Workbook, "onSelection">, isGone: () => Promise<boolean>): NoticeEnd =>
  (end) =>
    onSelection(() => void isGone().then((gone) => gone && end(), () => {}));
