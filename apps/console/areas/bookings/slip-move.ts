/** Moving an appointment in the week, by pointer or by keyboard. Only free slots of its instructor are targets. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { type KeyboardEvent, type PointerEvent as ReactPointerEvent, useRef, useState } from 'react'
import { nextTarget, type SlotsByDay, type Step, targetAt, targetsFor } from './free-slots.ts'

/** From here on a press is a drag, in pixels. */
const slack = 6

export interface Picked {
  readonly booking: ListedBooking
  /** Null: here it can't be put down. */
  readonly target: Slot | null
  /** By how much a pointer has dragged it; null with the keyboard. */
  readonly by: { readonly x: number; readonly y: number } | null
}

interface Properties {
  readonly slots: SlotsByDay
  readonly hourPx: number
  /** Minutes of the day at the top of the columns. */
  readonly first: number
  /** It was taken: what was said of an earlier move is over. */
  readonly onPick: () => void
  readonly onMove: (booking: ListedBooking, to: Slot) => void
  readonly onRefused: (booking: ListedBooking) => void
}

const canMove = ({ status, startsAt }: ListedBooking): boolean =>
  status === 'booked' && Date.parse(startsAt) > Date.now()
const steps: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] satisfies Step[]
const isStep = (key: string): key is Step => steps.includes(key)

export function useSlipMove({ slots, hourPx, first, onPick, onMove, onRefused }: Properties) {
  const [picked, setPicked] = useState<Picked | null>(null)
  const press = useRef<{ readonly x: number; readonly y: number; readonly top: number } | null>(null)
  /** The click that ends a drag opens nothing. */
  const dragged = useRef(false)

  const under = (booking: ListedBooking, event: ReactPointerEvent): Slot | null => {
    const column = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element): element is HTMLElement => element instanceof HTMLElement && element.dataset.day !== undefined)
    if (!column || !press.current) return null
    // The middle of the first minutes of the slip, wherever it was taken.
    const y = event.clientY - press.current.top + 8 - column.getBoundingClientRect().top
    return targetAt(targetsFor(booking, slots), column.dataset.day ?? '', first + (y / hourPx) * 60) ?? null
  }

  const pointer = (booking: ListedBooking) => ({
    onPointerDown: (event: ReactPointerEvent<HTMLElement>) => {
      dragged.current = false
      if (event.button !== 0 || event.pointerType === 'touch' || !canMove(booking)) return
      const { clientX: x, clientY: y, currentTarget } = event
      press.current = { x, y, top: y - currentTarget.getBoundingClientRect().top }
      currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: ReactPointerEvent<HTMLElement>) => {
      if (!press.current) return
      const by = { x: event.clientX - press.current.x, y: event.clientY - press.current.y }
      if (!dragged.current && Math.hypot(by.x, by.y) < slack) return
      if (!dragged.current) onPick()
      dragged.current = true
      setPicked({ booking, target: under(booking, event), by })
    },
    onPointerUp: () => {
      press.current = null
      if (!picked || !dragged.current) return
      setPicked(null)
      if (picked.target) onMove(booking, picked.target)
      else onRefused(booking)
    },
    onPointerCancel: () => {
      press.current = null
      setPicked(null)
    },
  })

  const onKeyDown = (booking: ListedBooking) => (event: KeyboardEvent) => {
    const own = picked?.booking.id === booking.id && picked.by === null ? picked : null
    if (!own) {
      if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey || !canMove(booking)) return
      event.preventDefault()
      event.stopPropagation()
      onPick()
      setPicked({ booking, target: null, by: null })
      return
    }
    if (isStep(event.key)) {
      const from = own.target?.startsAt ?? booking.startsAt
      const target = nextTarget(targetsFor(booking, slots), from, event.key)
      if (target) setPicked({ ...own, target })
    } else if (event.key === 'Enter' || event.key === ' ') {
      setPicked(null)
      if (own.target) onMove(booking, own.target)
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      setPicked(null)
      if (event.key === 'Tab') return
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    picked,
    slip: (booking: ListedBooking) => ({ ...pointer(booking), onKeyDown: onKeyDown(booking) }),
    /** Whether the click that follows belongs to a drag. */
    wasDragged: () => dragged.current,
  }
}
