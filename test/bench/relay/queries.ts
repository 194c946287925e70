/** A query that is put through either proxy, and how many companies its answer has. */
export interface Query {
  path: string;
  companies: number;
}

const COMPANIES = "/asia/private-markets/v1/companies";

/** A few hundred bytes, as of one company. */
export const SMALL: Query = { path: `${COMPANIES}?page=1&page_size=3`, companies: 3 };
/** A megabyte. */
export const LARGE: Query = { path: `${COMPANIES}?page=1&page_size=9300`, companies: 9_300 };
