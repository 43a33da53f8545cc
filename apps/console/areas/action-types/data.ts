/** What the page reads: the templates, and the values of a decision as an example. */
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { ActionType } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

export const typesQuery = (center: string) =>
  queryOptions({ queryKey: ['action-types', center], queryFn: ({ signal }) => api.actionTypes.list({ signal }) })

/** The values of one decision, as an example. */
export const exampleQuery = (eventId: string | undefined) =>
  queryOptions({
    queryKey: ['decisions', 'example', eventId],
    enabled: eventId !== undefined,
    queryFn: async ({ signal }) => (await api.decisions.get(eventId ?? '', { signal })).action.input,
  })

/** Equal ones are one type, however they are spelled. */
export const isSameType = (one: string, other: string): boolean => comparableId(one) === comparableId(other)

/** Version 0 is what the line of work provides. */
export const isOwn = ({ version }: ActionType): boolean => version > 0
