/** The event types as they are shown to programs and to people. */
import { eventTypeNames, eventTypes } from '@countersign/contract/webhook-events.ts'

export const shownTypes = eventTypeNames.map((type) => {
  const { description, schema, example } = eventTypes[type]
  return { type, description, schema: { ...schema }, example: { ...example } }
})
