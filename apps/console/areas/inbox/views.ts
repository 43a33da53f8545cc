/** The parts of the inbox, in the order of their tabs. */
import type { InboxView } from '@countersign/sdk'

export const inboxViews = [
  'turn',
  'soon',
  'confirm',
  'informed',
  'asked',
  'all',
] as const satisfies readonly InboxView[]
