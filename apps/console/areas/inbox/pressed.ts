/** The decisions that were sealed in this tab, for the row of seals below the list. They are gone with the tab. */
import type { GivenApproval } from '@countersign/sdk'
import { useSyncExternalStore } from 'react'

export interface Pressed {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly level: GivenApproval['identity']['level']
  readonly result: GivenApproval['result']
}

let pressed: readonly Pressed[] = []
const listeners = new Set<() => void>()

export function press(one: Pressed): void {
  pressed = [...pressed.filter(({ id }) => id !== one.id), one]
  for (const tell of listeners) tell()
}

export const usePressed = (): readonly Pressed[] =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => pressed,
  )
