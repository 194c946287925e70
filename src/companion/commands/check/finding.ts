/** What one check found, in a sentence that holds the cure where there is one. */
export interface Finding {
  /** A note is something that cannot be told from here, or that nobody needs. */
  verdict: "pass" | "FAIL" | "note";
  text: string;
}

export const pass = (text: string): Finding => ({ verdict: "pass", text });
export const fail = (text: string): Finding => ({ verdict: "FAIL", text });
export const note = (text: string): Finding => ({ verdict: "note", text });
