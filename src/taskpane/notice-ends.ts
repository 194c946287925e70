import type { Workbook } from "../contract/workbook";
import type { Session } from "../session/session";

/** Watches for what ends a notice; the returned function stops watching. */
export type NoticeEnd = (end: () => void) => () => void;

/** Ends a notice as soon as something holds: the notice shows a little after it was made. */
const once =
  (subscribe: (listener: () => void) => () => void, isOver: () => boolean): NoticeEnd =>
  (end) => {
    const look = () => {
      if (isOver()) end();
    };
    const stop = subscribe(look);
    look();
    return stop;
  };

/** Of what several ends may end: by the first of them. */
export const untilAny =
  (...ends: readonly NoticeEnd[]): NoticeEnd =>
  (end) => {
    const stops = ends.map((each) => each(end));
    return () => {
      for (const stop of stops) stop();
    };
  };

/** Of a missing connection: once there is one. */
export const untilConnected = ({ subscribe, state, offlineSinceMs }: Session): NoticeEnd =>
  once(subscribe, () => state().status === "connected" && offlineSinceMs() === null);

/** Of unconfirmed requests: once nothing waits for the person. */
export const untilConfirmed = ({ subscribe, confirmation }: Session): NoticeEnd =>
  once(subscribe, () => confirmation.waiting() === null);

/** Of a refresh: once it is undone, or another one begins. */
export const untilOtherChanges = ({ changes }: Pick<Session, "changes">): NoticeEnd => changes.onChange;

/** Of frozen formulas: once formulas come, as when the host undoes the freezing. */
export function untilFormulasCome({ calls }: Pick<Session, "calls">): NoticeEnd {
  let fewest = calls.list().length;
  return once(calls.onChange, () => {
    const { length } = calls.list();
    fewest = Math.min(fewest, length);
    return length > fewest;
  });
}

/**
 * Of what the pane wrote: once it is gone. Hosts report no undo, so that the next selection looks.
 *
 * @param isGone reads whether it is gone; a workbook that cannot be read ends nothing
 */
export const untilGone =
  ({ onSelection }: Pick<Workbook, "onSelection">, isGone: () => Promise<boolean>): NoticeEnd =>
  (end) =>
    onSelection(
      () =>
        void isGone().then(
          (gone) => gone && end(),
          () => {},
        ),
    );
