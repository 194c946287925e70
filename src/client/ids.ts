/** Company ids are UUIDs, so letter case tells nothing. */
export const toCompanyKey = (companyId: string): string => companyId.toLowerCase();

/**
 * Whether an id, which is provider or user text, can stand in an address: `..` survives encodeURIComponent, so
 * what has only dots, or anything that could leave its segment, is refused instead of escaped.
 */
export const isPathSegment = (id: string): boolean => !/^\.*$|[/\\?#%\p{Cc}\p{Cs}]/u.test(id);
