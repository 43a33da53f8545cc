/** Three small steps: one reads, one computes, one writes a draft. The runner and the reference use the same steps. */
import { createHash } from 'node:crypto'
import type { Definition } from '@countersign/server/features/automation/workflows/definition.ts'
import { Type } from 'typebox'

export const weigh = (bookings: number): { digest: string; bookings: number } => ({
  digest: createHash('sha256').update(`bookings ${bookings}`).digest('hex'),
  bookings,
})

export const draftOf = ({ digest, bookings }: { digest: string; bookings: number }) => ({
  content: `There are ${bookings} bookings this week. ${digest}`,
  tags: ['weekly', 'bookings'],
  metadata: { reason: 'Weekly digest.' },
  ai: null,
})

const shared = { timeoutSeconds: 30, attempts: 3, backoffSeconds: 1 }

export const sample: Definition = {
  key: 'bench.three-steps',
  name: 'Three steps',
  description: 'For a measurement.',
  vertical: 'education',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object({}, { additionalProperties: false }),
  steps: [
    {
      ...shared,
      name: 'collect',
      run: ({ read }) =>
        read(async (tx) => {
          const { n } = await tx.db
            .selectFrom('bookings')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .where('center_id', '=', tx.caller.centerId)
            .executeTakeFirstOrThrow()
          return { bookings: n }
        }),
    },
    {
      ...shared,
      name: 'weigh',
      run: async ({ outputs }) => weigh((outputs.collect as { bookings: number }).bookings),
    },
    {
      ...shared,
      name: 'write',
      run: async ({ outputs }) => draftOf(outputs.weigh as ReturnType<typeof weigh>),
    },
  ],
}
