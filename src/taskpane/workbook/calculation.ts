import { inExcel, WAITING } from "./excel-run";

/** The host hands results of streams to cells every half second; this is twice that, and a little more. */
const REACHED_MS = 1_200;

export function isManual(): Promise<boolean> {
  return inExcel(async (context) => {
    const { application } = context.workbook;
    application.load("calculationMode");
    await context.sync();
    return application.calculationMode === "Manual";
  });
}

/** Has what is pushed reach its cells in a workbook that is calculated by hand. */
export async function deliver<T>(push: () => Promise<T>): Promise<T> {
  if (!(await isManual())) return push();
  await calculate("Automatic");
  try {
    return await push();
  } finally {
    await new Promise((resolve) => setTimeout(resolve, REACHED_MS)); // what came before a failure is delivered too
    await calculate("Manual");
  }
}

/** The cell that somebody writes into meanwhile must not keep the mode from being set. */
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
