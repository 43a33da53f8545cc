/** The matrix has every message that is sent, every promise of a screen, and leads to pages that exist. */
import { globSync, readFileSync } from 'node:fs'
import {
  channelsOf,
  groupOf,
  isFixed,
  type MessageEvent,
  type MessagePerson,
  messageEvents,
  messageGroupNames,
  messageGroups,
  templateOf,
} from '@countersign/contract/messages.ts'
import en from '@countersign/words/en/messages.json' with { type: 'json' }
import ko from '@countersign/words/ko/messages.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { eventLabel, mailNames } from '../../../../mail/templates.ts'
import { pathOf } from '../pages.ts'

const root = new URL('../../../../../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')

describe('the matrix of messages', () => {
  it('has every email of the service, and each of its events has one', () => {
    // The one email a day holds messages of other events. Nobody has an account to choose for when it was deleted.
    expect(new Set([...messageEvents.map(templateOf), 'digest', 'accountErased'])).toEqual(new Set(mailNames))
  })

  it.each(messageEvents)('%s has words and somebody to tell, by email at least', (event) => {
    for (const words of [en, ko]) expect(words).toHaveProperty([`event.${event}`])
    const cells = Object.values(channelsOf(event))
    expect(cells.length).toBeGreaterThan(0)
    for (const channels of cells) expect(channels).toContain('mail')
  })

  it('lets nobody turn off what is about security', () => {
    for (const channel of ['mail', 'push'] as const) expect(isFixed('security', channel)).toBe(true)
    for (const group of messageGroupNames) if (messageGroups[group].digest) expect(isFixed(group, 'mail')).toBe(false)
  })

  it('is the page of the documentation', () => {
    for (const file of ['docs/messages.md', 'docs/ko/messages.md']) {
      const language = file.startsWith('docs/ko') ? 'ko' : 'en'
      const text = read(file)
      for (const event of messageEvents) expect(text).toContain(`| ${eventLabel(event, language)} |`)
    }
  })
})

const routes = globSync('apps/console/{app/roots.tsx,areas/*/routes.tsx}', { cwd: root }).flatMap((file) =>
  Array.from(read(file).matchAll(/path: '([^']+)'/g), ([, path = '']) => path),
)

it.each(messageEvents)('the page of %s exists', (event) => {
  for (const as of Object.keys(channelsOf(event)) as MessagePerson[]) {
    const path = pathOf(event, { domain: 'haneul', as, facts: { id: 'evt_1' } })
    if (path.startsWith('/approve/')) continue
    const [, place = '/'] = /^(?:\/c\/haneul|\/me)([^#?]*)/.exec(path) ?? []
    expect(['', ...routes]).toContain(place)
  }
})

/** Sentences on pages that promise a message, each with the event that keeps it. */
const promises: Readonly<Record<string, readonly MessageEvent[]>> = {
  'approve.chooseBody': ['decisionWaits'],
  'center.adminPasskeysAskText': ['adminPasskeysOn'],
  'center.adminPasskeysEndText': ['adminPasskeysOff'],
  'center.cannotReinvite': ['invited'],
  'center.effectrevoke': ['invited'],
  'decision.waitsoperator': ['passkeyWaits'],
  'domains.nextLive': ['domainExpiring', 'domainStopped'],
  'domains.nextPending': ['domainLive'],
  'domains.nextWaiting': ['domainLive'],
  'entry.linkMailBody': ['linkAccount'],
  'entry.onboardingText': ['invited'],
  'entry.signUpBody': ['openAccount'],
  'entry.signUpDoneBody': ['openAccount', 'accountExists'],
  'entry.forgotBody': ['newPassword'],
  'entry.forgotDoneBody': ['newPassword'],
  // A warning about other messages, not a promise of one of ours.
  'ui.checkHow': ['passkeyWaits'],
  'entry.linkByMail': ['linkAccount'],
  'import.previewText': ['invited'],
  'import.done': ['invited'],
  'import.done_one': ['invited'],
  'new-center.adminEmailHint': ['invited'],
  'stop.tells': ['frozen'],
  'partner.stopTells': ['frozen'],
  'ui.checkAfter': ['passkeyConfirmed'],
  'ui.solePartner': ['passkeyWaits'],
  'ui.waitHint': ['placeOffered'],
}
const promise =
  /(?:by|sent an|send(?:s)? an|get an|in (?:its|their|the)) email|\bemail (?:you|them)\b|send you|\bnotified (?:you|by)\b|\b(?:was|are|is) told\b|we’ll (?:tell|let)/i
const own = ['messages', 'mail', 'texts', 'cli', 'commands', 'help', 'hook', 'errors', 'problems', 'me']

it('every promise of a message on a page is kept by an event', () => {
  const found = globSync('packages/words/en/*.json', { cwd: root }).flatMap((file) => {
    const area = /([\w-]+)\.json$/.exec(file)?.[1] ?? ''
    if (own.includes(area)) return []
    const words = JSON.parse(read(file)) as Readonly<Record<string, unknown>>
    return Object.entries(words).flatMap(([key, text]) =>
      typeof text === 'string' && promise.test(text) ? [`${area}.${key}`] : [],
    )
  })
  expect(found.filter((key) => !(key in promises))).toEqual([])
  for (const [key, events] of Object.entries(promises)) {
    expect([key, found.includes(key)]).toEqual([key, true])
    for (const event of events) expect(groupOf(event)).toBeDefined()
  }
})
