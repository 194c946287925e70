/** Versions of requirement sets, by their names in lower case. */
export type RequirementSets = Record<string, string>;

/** Facts about the host that differ between tests. */
export interface HostFacts {
  /** The facts of `external-facts.json`, which are the same in every test. */
  constants: object;
  /** Host, platform, version and locale as Office.js reads them. */
  hostInfo: string;
  /** BCP 47 tag of the display language. */
  language: string;
  /** The theme's colours as numbers. */
  theme: Record<string, number>;
  requirementSets: RequirementSets;
  /** The add-in's document settings: values as JSON, by name; default none. */
  settings?: Record<string, string>;
}

/**
 * Creates `window.external` of desktop Excel. Refers to nothing outside itself: its text also runs in a browser's
 * page.
 */
export function createExternal({ constants, hostInfo, language, theme, requirementSets, settings = {} }: HostFacts) {
  const nothing = () => undefined;
  const read = (names: string[], values: string[]) => {
    names.push(...Object.keys(settings));
    values.push(...Object.values(settings));
  };
  const facts = {
    ...constants,
    AppUILocale: language,
    AppDataLocale: language,
    SupportedMatrix: JSON.stringify(requirementSets),
    OfficeThemeInfo: JSON.stringify(theme),
    Settings: { Read: read, Write: nothing, RefreshAsync: (done: () => void) => done() },
  };
  const context = Object.fromEntries(Object.entries(facts).map(([name, value]) => [`Get${name}`, () => value]));
  return {
    GetHostInfo: () => hostInfo,
    GetLoggingAllowed: () => false,
    GetContext: () => context,
    Execute: (_id: number, _parameters: unknown, done?: (answer: number[]) => void) => done?.([0]),
    RegisterEvent: (_id: number, _target: string, _handler: unknown, done?: (status: number) => void) => done?.(0),
    UnregisterEvent: (_id: number, _target: string, done?: (status: number) => void) => done?.(0),
  };
}
