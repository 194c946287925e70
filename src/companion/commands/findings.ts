/** The result of one check, in a sentence with the cure where there is one. */
export interface Finding {
  /** A note is unknown from here, or needs no action. */
  verdict: "pass" | "FAIL" | "note";
  text: string;
  /** What it concerns, such as "clock"; default what its check is called. */
  about?: string;
}

export const pass = (text: string): Finding => ({ verdict: "pass", text });
export const fail = (text: string): Finding => ({ verdict: "FAIL", text });
export const note = (text: string): Finding => ({ verdict: "note", text });
