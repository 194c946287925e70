/** A pattern of a sentence in which `…` stands for any text. */
export const toPattern = (sentence: string): RegExp =>
  new RegExp(
    `^${sentence
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]*")}$`,
  );
