/** The decisions that were sealed in this tab, for the row of seals below the list. They are gone with the tab. */
import type { GivenApproval } from '@countersign/sdk'
import { storeOf } from '../../app/store.ts'

export interface Pressed {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly level: GivenApproval['identity']['level']
  readonly result: GivenApproval['result']
}

export const pressedStore = storeOf<readonly Pressed[]>([])

export const press = (one: Pressed): void =>
  pressedStore.set([...pressedStore.get().filter(({ id }) => id !== one.id), one])
