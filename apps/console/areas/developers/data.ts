/** What the pages about webhooks read. The event stream says when a delivery has changed. */
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import type { DeliveriesSearch } from './search.ts'

/** A recovery tells its progress nowhere else; it is asked for only while one runs. */
/** Beside the event stream, while a recovery runs. */
const safetyMs = 30_000
const pageSize = 30

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => api.webhooks.list({ signal }),
  refetchInterval: ({ state }) =>
    state.data?.some(({ recovery }) => recovery?.status === 'running') ? safetyMs : false,
})

/** Attempts are counted every few minutes. */
export const deliveryDaysQuery = (center: string) =>
  queryOptions({
    queryKey: ['oversight', center, 'month', 'day', null],
    queryFn: ({ signal }) => api.console.getOversight({ period: 'month', step: 'day' }, { signal }),
    staleTime: 60_000,
  })

export const useDeliveries = (webhookId: string, state: DeliveriesSearch['state']) =>
  useInfiniteQuery({
    queryKey: ['deliveries', webhookId, state],
    queryFn: ({ pageParam, signal }) =>
      api.deliveries.list(
        webhookId,
        { limit: pageSize, ...(state && { state }), ...(pageParam && { before: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

export const useDelivery = (webhookId: string, eventId: string | null) =>
  useQuery({
    queryKey: ['deliveries', webhookId, 'one', eventId],
    queryFn: ({ signal }) => api.deliveries.get(webhookId, eventId ?? '', { signal }),
    enabled: eventId !== null,
  })
