/** How a person approved an entry, as one byte: 0 no person, 1 by name, 2 signed in, 3 by passkey. */
export const levels = ['system', 'claim', 'session', 'passkey'] as const
export type Level = (typeof levels)[number]

/** The members of an entry that the page shows. Everything in them is text of a record. */
export interface Content {
  readonly event?: { readonly type?: unknown; readonly action?: { readonly type?: unknown } }
  readonly approval?: { readonly identity?: { readonly level?: unknown } }
  readonly type?: unknown
  readonly action?: unknown
}

export const levelOf = (content: Content): number =>
  Math.max(0, levels.indexOf((content.approval?.identity?.level ?? 'system') as Level))

export function whatOf({ event, type, action }: Content): string {
  const found = [event?.action?.type, event?.type, type, action].find((each) => typeof each === 'string')
  return typeof found === 'string' ? found : ''
}
