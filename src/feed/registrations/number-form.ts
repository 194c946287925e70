/** A registration number such as "U74999MH2016PTC123456" has at most three letters in a row. */
const LETTERS_OF_A_NAME = /\p{L}{4}|[^\p{ASCII}]/u;

/** Whether a text may be a registration number, so that the provider must be asked. */
export const mayBeNumber = (text: string): boolean =>
  /\d/.test(text) && !LETTERS_OF_A_NAME.test(text.normalize("NFKC"));
