/** The settings of a workbook, which reach its file when they are saved. */
export interface OfficeSettings {
  file: Map<string, unknown>;
  saves: number;
  /** Its words where it refuses to save. */
  failure: string | undefined;
}

/** Sets the part of the global `Office` that stores in the workbook, where a failure is given refusing in its words. */
export function setOffice(failure?: string): OfficeSettings {
  const office: OfficeSettings = { file: new Map(), saves: 0, failure };
  const copy = new Map<string, string | undefined>();
  const settings = {
    get: (name: string) => (copy.has(name) ? JSON.parse(copy.get(name) ?? "null") : (office.file.get(name) ?? null)),
    set: (name: string, value: unknown) => void copy.set(name, JSON.stringify(value)),
    remove: (name: string) => void copy.set(name, undefined),
    saveAsync(done: (result: unknown) => void) {
      office.saves++;
      const { failure } = office;
      for (const [name, value] of failure === undefined ? copy : []) {
        if (value === undefined) office.file.delete(name);
        else office.file.set(name, JSON.parse(value));
      }
      done(failure === undefined ? { status: "succeeded" } : { status: "failed", error: { message: failure } });
    },
  };
  const AsyncResultStatus = { Succeeded: "succeeded", Failed: "failed" };
  Object.assign(globalThis, { Office: { AsyncResultStatus, context: { document: { settings } } } });
  return office;
}

export const removeOffice = (): void => void Reflect.deleteProperty(globalThis, "Office");
