/** The limits of a list as a query names them, and as SQL takes them. */
export type TimeQuery<Filter> = Omit<Filter, 'from' | 'to'> & { readonly from?: string; readonly to?: string }

/** `Date` reads `T` and `Z` in capitals only; RFC 3339 permits both. */
export const timed = <Rest extends object>({
  from,
  to,
  ...rest
}: Rest & { readonly from?: string; readonly to?: string }) => ({
  ...rest,
  ...(from !== undefined && { from: new Date(from.toUpperCase()) }),
  ...(to !== undefined && { to: new Date(to.toUpperCase()) }),
})
