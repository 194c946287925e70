export const median = (samples: readonly number[]): number =>
  [...samples].sort((one, other) => one - other)[Math.floor(samples.length / 2)] as number;

/** The sample that a share, 0 to 1, does not exceed; NaN without any. */
export const pickShare = (samples: readonly number[], share: number): number =>
  [...samples].sort((one, other) => one - other)[Math.floor((samples.length - 1) * share)] ?? Number.NaN;

/**
 * Alternates contenders in changing order, so that other load affects all alike.
 * @returns each one's samples, by name
 */
export async function interleave<Name extends string, T>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<T>>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(contenders) as Name[];
  const given = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) given[name].push(await contenders[name]());
  }
  return given;
}

export const mapValues = <Name extends string, One, Other>(
  all: Readonly<Record<Name, One>>,
  change: (one: One) => Other,
): Record<Name, Other> =>
  Object.fromEntries(Object.entries<One>(all).map(([name, one]) => [name, change(one)])) as Record<Name, Other>;
