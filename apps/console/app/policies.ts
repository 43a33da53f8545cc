/** The policies of a center, and those that a type of action can be under. */
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { fits } from '@countersign/proof/glob.ts'
import type { Policy } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: ({ signal }) => api.policies.list({ signal }),
})

const longest = 255

/** Those in use, whatever else they ask about. A longer type is under every pattern, as the server judges it. */
export const policiesFor = (type: string, policies: readonly Policy[]): readonly Policy[] =>
  policies.filter(
    ({ active, match }) =>
      active !== false &&
      (match.actionTypes === undefined ||
        type.length > longest ||
        match.actionTypes.some((glob) => fits(comparableId(glob), comparableId(type)))),
  )
