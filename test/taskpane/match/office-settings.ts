/** The settings of a workbook, which reach its file when they are saved. */
export interface OfficeSettings {
  file: Map<string, unknown>;
  saves: number;
}

/** Sets the part of the global `Office` that stores in the workbook. */
export function setOffice(): OfficeSettings {
  const office: OfficeSettings = { file: new Map(), saves: 0 };
  const settings = {
    get: (name: string) => office.file.get(name) ?? null,
    set: (name: string, value: unknown) => void office.file.set(name, JSON.parse(JSON.stringify(value))),
    saveAsync: () => void office.saves++,
  };
  Object.assign(globalThis, { Office: { context: { document: { settings } } } });
  return office;
}

export const removeOffice = (): void => void Reflect.deleteProperty(globalThis, "Office");
