import type { Frame, Page } from "playwright-core";

/** Makes Office.js handle a pressed command; resolves when the command has completed. */
export async function pressRibbon(addIn: Page | Frame, command: string): Promise<void> {
  await addIn.evaluate((callbackName) => {
    const { OfficeExt } = window as unknown as { OfficeExt: { AppCommand: { AppCommandManager: Manager } } };
    interface Manager {
      instance(): {
        _processAppCommandInvocation(invoked: object): void;
        _invokeAppCommandCompletedMethod(id: string, code: number, data: string): void;
      };
    }
    const manager = OfficeExt.AppCommand.AppCommandManager.instance();
    return new Promise<void>((resolve) => {
      manager._invokeAppCommandCompletedMethod = () => resolve();
      manager._processAppCommandInvocation({ appCommandId: "1", callbackName, eventObjStr: '{"source":{"id":"x"}}' });
    });
  }, command);
}
