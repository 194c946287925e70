import { count } from "./quantities";

const en = {
  reasons: {
    rateLimited: (families: readonly string[]) => `${families.join(", ")}: the provider has asked for a pause.`,
    failing: (families: readonly string[]) => `${families.join(", ")}: the provider keeps failing.`,
    unreachable: (families: readonly string[]) =>
      `${families.join(", ")}: the provider cannot be reached. Check the network.`,
  },
  /** @param cells number of cells that show an error for it */
  failed: (cells: number) => {
    if (cells === 0) return "Cells keep the values they have.";
    return `${count(cells, "cell shows", "cells show")} #N/A for that; the others keep their values.`;
  },
  goesOn: (time: string) => `Goes on by itself in ${time}.`,
  allGoOn: (time: string) => `All of it goes on by itself within ${time}.`,
  trying: "Trying now…",
  tryNow: "Try now",
};

const ja: typeof en = {
  reasons: {
    rateLimited: (families) => `${families.join("、")}: データ提供元から待機を求められています。`,
    failing: (families) => `${families.join("、")}: データ提供元のエラーが続いています。`,
    unreachable: (families) =>
      `${families.join("、")}: 応答が得られない状態が続いています。ネットワークを確認してください。`,
  },
  failed: (cells) => {
    if (cells === 0) return "セルの値はそのまま残ります。";
    return `${cells.toLocaleString("ja")} 個のセルに #N/A が表示され、ほかのセルの値はそのまま残ります。`;
  },
  goesOn: (time) => `あと ${time} で自動的に再開します。`,
  allGoOn: (time) => `${time} 以内にすべて自動的に再開します。`,
  trying: "再試行しています…",
  tryNow: "今すぐ再試行",
};

export const pausesTexts = { en, ja };
