interface Example {
  formula: string;
}

/** Company ids of the sample data, in quotes: elsewhere there is no such company, and a cell takes their place. */
const SAMPLE_COMPANIES = /"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[0-9a-f,-]*"/g;

/** Loads a formula to copy into a cell for each function, from the reference; none where that is not there. */
export async function loadExamples(sample: boolean): Promise<Record<string, string>> {
  const response = await fetch("/reference/examples.json").catch(() => undefined);
  if (!response?.ok) return {};
  const examples = (await response.json()) as Record<string, Example[]>;
  const firsts = Object.entries(examples).flatMap(([id, [first]]) => (first ? [[id, first.formula] as const] : []));
  return Object.fromEntries(
    firsts.map(([id, formula]) => [id, sample ? formula : formula.replace(SAMPLE_COMPANIES, "A2")]),
  );
}
