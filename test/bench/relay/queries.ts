/** A query sent through either proxy, and the number of companies in its answer. */
export interface Query {
  path: string;
  companies: number;
}

const COMPANIES = "/asia/private-markets/v1/companies";

/** A few hundred bytes, as for one company. */
export const SMALL: Query = { path: `${COMPANIES}?page=1&page_size=3`, companies: 3 };
/** A megabyte. */
export const LARGE: Query = { path: `${COMPANIES}?page=1&page_size=9300`, companies: 9_300 };
