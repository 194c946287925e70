/** Runs in an instance before the program; FEED's settings have no such switch. */
const SOURCE = `
  const SystemDate = Date;
  globalThis.Date = class extends SystemDate {
    constructor(...parts) {
      if (parts.length === 0) super(SystemDate.now() + SHIFT_MS);
      else super(...parts);
    }
    static now() {
      return SystemDate.now() + SHIFT_MS;
    }
  };
`;

/** Gives the arguments of a Node whose clock is so far ahead. */
export const toShiftedClock = (shiftMs: number): string[] => [
  "--import",
  `data:text/javascript,${encodeURIComponent(SOURCE.replaceAll("SHIFT_MS", `(${shiftMs})`))}`,
];
