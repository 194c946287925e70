/** A moment as the person's own clock has it: "21 Nov 2026, 14:05:12". */
export const toMoment = (ms: number, language: string): string =>
  new Date(ms).toLocaleString(language, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
