/** A registration number such as "U74999MH2016PTC123456" has at most three letters in a row. */
const LETTERS_OF_A_NAME = /\p{L}{4}|[^\p{ASCII}]/u;

/** Whether a text may be a registration number, so that the provider must be asked. */
export const mayBeNumber = (text: string): boolean =>
  /\d/.test(text) && !LETTERS_OF_A_NAME.test(text.normalize("NFKC"));

/** A ticker has fewer digits, and a name words. */
const REGISTRATION_NUMBER = /^(?!.*\p{L}{4})(?:\P{Nd}*\p{Nd}){7}/u;

/** Whether formulas take a text for a registration number and nothing else. */
export const isNumberForm = (text: string): boolean => REGISTRATION_NUMBER.test(text);
