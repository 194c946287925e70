import type { FailedCounts } from "../pane/failed";

const en = {
  reasons: {
    rateLimited: (families: readonly string[]) => `${families.join(", ")}: the provider has asked for a pause.`,
    failing: (families: readonly string[]) => `${families.join(", ")}: the provider keeps failing.`,
    unreachable: (families: readonly string[]) =>
      `${families.join(", ")}: the provider cannot be reached. Check the network.`,
  },
  failed: ({ queries, cells }: FailedCounts) => {
    if (queries === 0) return "Cells keep the values they have.";
    const failed = queries === 1 ? "1 question failed" : `${queries.toLocaleString("en")} questions failed`;
    if (cells === 0) return `${failed}; cells keep the values they have.`;
    return cells === 1
      ? `${failed}; 1 cell shows #N/A, the others keep their values.`
      : `${failed}; ${cells.toLocaleString("en")} cells show #N/A, the others keep their values.`;
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
  failed: ({ queries, cells }) => {
    if (queries === 0) return "セルの値はそのまま残ります。";
    const failed = `問い合わせ ${queries.toLocaleString("ja")} 件が失敗しました。`;
    if (cells === 0) return `${failed}セルの値はそのまま残ります。`;
    return `${failed}${cells.toLocaleString("ja")} 個のセルに #N/A が表示され、ほかのセルの値はそのまま残ります。`;
  },
  goesOn: (time) => `あと ${time} で自動的に再開します。`,
  allGoOn: (time) => `${time} 以内にすべて自動的に再開します。`,
  trying: "再試行しています…",
  tryNow: "今すぐ再試行",
};

export const pausesTexts = { en, ja };
