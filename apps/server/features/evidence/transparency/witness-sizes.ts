/** Asks witnesses how many entries of a log they have cosigned. They are shown nothing that was not signed before. */
import type { PolicyWitness } from '@countersign/proof/trust-policy.ts'
import type { AskedWitness } from '../../../sealing/fence/ask-witnesses.ts'
import { openWitnesses, type WitnessClient } from './witnessing.ts'

export interface AskedWitnesses {
  readonly all: readonly AskedWitness[]
  close(): Promise<void>
}

export function askedWitnesses(witnesses: readonly PolicyWitness[]): AskedWitnesses {
  const clients = openWitnesses(witnesses)
  return {
    all: clients.map((client) => ({ name: client.witness.name, seen: seenBy(client) })),
    close: async () => {
      await Promise.all(clients.map(({ service }) => service.close()))
    },
  }
}

/**
 * The protocol has no question for the size. A witness compares `old` with what it knows: with the size of the
 * checkpoint itself as `old` it cosigns what it knows already, or answers 409 with its size, and learns nothing.
 */
const seenBy =
  ({ service }: WitnessClient): AskedWitness['seen'] =>
  async (note, size) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    const { status, body } = await service.post(headers, `old ${size}\n\n${note}`, new AbortController().signal)
    if (status === 200) return { size }
    if (status === null) return 'no answer'
    const known = status === 409 ? /^(0|[1-9]\d{0,15})\n$/.exec(body)?.[1] : undefined
    if (known === undefined) return 'another answer'
    return Number(known) === size ? 'another root' : { size: Number(known) }
  }
