import { inExcel, WAITING } from "./excel-run";

/** The host passes results of streams to cells every half second; this is a little more than twice that. */
const REACHED_MS = 1_200;

export function isManual(): Promise<boolean> {
  return inExcel(async (context) => {
    const { application } = context.workbook;
    application.load("calculationMode");
    await context.sync();
    return application.calculationMode === "Manual";
  });
}

/** Runs a push with automatic calculation, so that its results reach the cells of a manual workbook. */
export async function deliver<T>(push: () => Promise<T>): Promise<T> {
  if (!(await isManual())) return push();
  await calculate("Automatic");
  try {
    return await push();
  } finally {
    await new Promise((resolve) => setTimeout(resolve, REACHED_MS)); // also delivers results before a failure
    await calculate("Manual");
  }
}

/** Waits for a cell's edit, so that the mode is set in any case. */
function calculate(mode: "Automatic" | "Manual"): Promise<void> {
  return inExcel(
    async (context) => {
      context.workbook.application.calculationMode = mode;
      await context.sync();
    },
    {},
    WAITING,
  );
}
