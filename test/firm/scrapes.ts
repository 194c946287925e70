import { expect } from "@jest/globals";
import { listFiring } from "./alert-rules";

/** Scrapes until an alarm must fire; promtool counts each as one minute, the unit of the rules. */
export const SCRAPES = 12;

/** The figures of instances over time, as Prometheus has them. */
export type Scrapes = ReturnType<typeof createScrapes>;

export function createScrapes() {
  const series = new Map<string, (string | undefined)[]>();
  let count = 0;
  const put = (name: string, value: string) => {
    const values = series.get(name) ?? [];
    values[count] = value;
    series.set(name, values);
  };
  const toValues = (values: readonly (string | undefined)[]) =>
    Array.from({ length: count }, (_, at) => values[at] ?? "_").join(" ");
  return {
    /** Stores a scrape of each instance: its metrics, or undefined where it did not answer. */
    take(texts: readonly (string | undefined)[]) {
      for (const [place, text] of texts.entries()) {
        const target = `instance="${place}",job="feed-for-excel"`;
        put(`up{${target}}`, text === undefined ? "0" : "1");
        for (const line of text?.split("\n") ?? []) {
          const [, name, labels = "", value] = METRIC.exec(line) ?? [];
          if (name !== undefined) put(`${name}{${labels}${labels && ","}${target}}`, value!);
        }
      }
      count += 1;
    },
    /** Gives the last scrape's figure, summed over the series of a name with a part in its labels. */
    readLast: (name: string, part: string) =>
      [...series]
        .filter(([key]) => key.startsWith(`${name}{`) && key.includes(part))
        .reduce((sum, [, values]) => sum + Number(values[count - 1] ?? 0), 0),
    /** Gives a value a minute of each series, in promtool's form. */
    toSeries: () => Object.fromEntries([...series].map(([name, values]) => [name, toValues(values)])),
  };
}

const METRIC = /^(feed_\w+|process_resident_memory_bytes)(?:\{(.*)\})? (\S+)$/;

/** Expects the alarms that fire at the last scrape. */
export function expectAlarms(scrapes: Scrapes, names: readonly string[]): void {
  expect(listFiring(scrapes.toSeries(), SCRAPES - 1)).toEqual(names);
}
