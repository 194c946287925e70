/** What can be shown in a cell besides plain values. */
export interface Abilities {
  /** Numbers that bring their format (ExcelApi 1.16). */
  formats: boolean;
  /** Numbers that bring properties, such as their currency (ExcelApi 1.19). */
  properties: boolean;
}

/** Where nothing but plain values can be shown. */
export const PLAIN: Abilities = { formats: false, properties: false };

let known: Abilities | null = null;

/**
 * What the host can show, asked of Office once; plain values where there is none.
 * The namespace of custom functions does not tell, but in a shared runtime Office is there too, and is
 * initialised before the first call of a function comes.
 */
export function readAbilities(): Abilities {
  if (known !== null) return known;
  if (typeof Office === "undefined" || !Office.context?.requirements) return PLAIN;
  const isSupported = (version: string) => Office.context.requirements.isSetSupported("ExcelApi", version);
  known = { formats: isSupported("1.16"), properties: isSupported("1.19") };
  return known;
}
