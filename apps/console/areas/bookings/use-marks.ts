/** Attendance by taps. What stands on the server stays on the page until the server has said otherwise. */
import type { AttendanceResult, ListedBooking } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'

export type Kind = 'attended' | 'no_show'
export type Tap =
  | { readonly state: 'saving'; readonly kind: Kind }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'answered'; readonly outcome: AttendanceResult['outcome'] }

/** The operation takes no more at once. */
const maxMarks = 100
/** Somebody stands before the class: an answer that takes longer counts as none. */
const patienceMs = 10_000

export function useMarks(center: string) {
  const [taps, setTaps] = useState<ReadonlyMap<string, Tap>>(new Map())
  const note = (entries: readonly (readonly [string, Tap])[]) => setTaps((now) => new Map([...now, ...entries]))

  function show(results: readonly AttendanceResult[]) {
    const byId = new Map(results.map((each) => [each.bookingId, each]))
    queries.setQueriesData<ListedBooking[]>({ queryKey: ['bookings', center, 'span'] }, (list) =>
      list?.map((booking) => {
        const { status, recordedAt, recordedBy, recordedByName } = byId.get(booking.id) ?? {}
        if (!status) return booking
        const recording = { recordedAt: recordedAt ?? null, recordedBy: recordedBy ?? null }
        return { ...booking, status, ...recording, recordedByName: recordedByName ?? null }
      }),
    )
    note(results.map(({ bookingId, outcome }) => [bookingId, { state: 'answered', outcome }]))
  }

  async function save(bookings: readonly ListedBooking[], kind: Kind) {
    note(bookings.map(({ id }) => [id, { state: 'saving', kind }]))
    try {
      const marks = bookings.map(({ id, status }) => ({ bookingId: id, kind, expected: status }))
      const { results } = await api.bookings.recordAttendance(center, { marks }, { timeoutMs: patienceMs })
      show(results)
      for (const part of ['unnoted', 'list', 'attendance'])
        void queries.invalidateQueries({ queryKey: ['bookings', center, part] })
    } catch (error) {
      note(bookings.map(({ id }) => [id, { state: 'failed', error }]))
      // The answer may be lost, and the mark saved.
      void queries.invalidateQueries({ queryKey: ['bookings', center, 'span'] })
    }
  }

  return {
    taps,
    /** While a mark is on its way, another tap on the same person does nothing. */
    mark(bookings: readonly ListedBooking[], kind: Kind) {
      const free = bookings.filter(({ id }) => taps.get(id)?.state !== 'saving')
      for (let at = 0; at < free.length; at += maxMarks) void save(free.slice(at, at + maxMarks), kind)
    },
  }
}
