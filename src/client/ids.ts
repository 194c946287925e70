/** The key of a company id: UUIDs ignore case. */
export const toCompanyKey = (companyId: string): string => companyId.toLowerCase();

/**
 * Whether an id, which is provider or user text, is safe in a URL path. `..` survives encodeURIComponent, so dots
 * alone, and anything that could leave its segment, are refused.
 */
export const isPathSegment = (id: string): boolean => !/^\.*$|[/\\?#%\p{Cc}\p{Cs}]/u.test(id);
