/**
 * Every change that the console makes says what was done, or why it says nothing: each call of an operation that changes something
 * is inside `useChange`, whose type asks for the message, or in a file on this list.
 */
import { globSync, readFileSync } from 'node:fs'
import { operations } from '@countersign/contract/operations.ts'
import en from '@countersign/words/en/done.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { finalChanges } from './final-changes.ts'

const root = new URL('../', import.meta.url).pathname
const files = globSync('{app,areas,ui,decision}/**/*.{ts,tsx}', { cwd: root }).toSorted()

/** Calls outside of `useChange`: functions that a change calls, and pages that show the result themselves. */
const elsewhere: Readonly<Record<string, string>> = {
  'app/push.ts': 'The switch of the notifications calls it in a change.',
  'areas/center/app-page.tsx': 'It opens the other application.',
  'areas/center/child-sheet.tsx': 'The field with the name calls it in a change.',
  'areas/center/settings-page.tsx': 'The field with the name calls it in a change.',
  'areas/entry/passkey-sign-in.ts': 'It opens the center.',
  'areas/entry/provider-pages.tsx': 'The page says that the account is linked.',
  'areas/entry/site.ts': 'It opens the center on its own domain.',
  'areas/operator/passkeys-page.tsx': 'The form with the number calls it in a change.',
  'areas/partner/passkeys-page.tsx': 'The form with the number calls it in a change.',
  'areas/partner/center-sheet.tsx': 'The field with the name calls it in a change.',
  'areas/center/sign-in-page.tsx': 'The list of providers calls it in a change.',
  'areas/partner/sign-in-page.tsx': 'The list of providers calls it in a change.',
  'areas/partner/stop-data.ts': 'The form and the sheet of a stop call it in a change.',
  'areas/center/branding-page.tsx': 'The field with the logo calls it in a change.',
  'areas/partner/logo.tsx': 'The field with the logo calls it in a change.',
  'areas/partner/domains.tsx': 'The list of domains calls it in a change.',
  'areas/stop/refuse-all.tsx': 'The dialog calls it in a change.',
  'ui/decision/decide.ts': 'The sheet shows the seal, and the inbox what was decided.',
  'ui/person-menu-list.tsx': 'The page changes its language.',
  'areas/bookings/data.ts': 'It is what takes closed days back.',
  'areas/bookings/messages.ts': 'It is what takes a change of an appointment back.',
  'areas/bookings/use-marks.ts': 'The roll shows each mark where it was tapped, with what came of it.',
  'areas/bookings/use-move.ts':
    'The week shows the new time before the server has answered; the message follows the answer.',
  'areas/center/confirm-passkey.ts': 'The form with the number calls it in a change.',
  'areas/center/import/run.ts': 'The dialog shows the progress and then a report of every row.',
  'areas/center/features-page.tsx': 'The switch calls it in a change, and the message to turn it back.',
  'areas/center/draft/editor.tsx': 'The draft shows the new text and who edited it.',
  'areas/center/draft/review.tsx': 'The draft shows its review, its refusal or its proof.',
  'areas/center/member-sheet.tsx': 'It is what takes a change of a membership back.',
  'areas/center/domain-page.tsx': 'The list of domains calls it in a change.',
  'areas/center/workflow-sheet.tsx': 'The switch calls it in a change, and the message to turn it back.',
  'areas/decisions/views.tsx': 'The buttons and the form call it in a change, and so does what takes a change back.',
  'areas/decisions/views-data.ts': 'The list shows the views that have moved from the browser.',
  'areas/decisions/raise.tsx': 'The dialog calls it in a change.',
  'areas/entry/asking-pages.tsx': 'The page says that a mail is on its way.',
  'areas/entry/mailed-pages.tsx': 'The page says what the link has done.',
  'areas/entry/invitation-page.tsx': 'The page says that the person is a member now.',
  'areas/family/appointment.ts': 'The dialogs call it in a change.',
  'areas/me/add-passkey.tsx': 'The form shows the number that an administrator confirms.',
  'areas/me/sign-in.tsx': 'The form calls it in a change.',
}

/** From the opening parenthesis to the one that closes it. */
function spanOf(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

const changing = new Set(operations.flatMap(({ name, spec }) => (spec.method === 'GET' ? [] : [name as string])))
const isChanging = (resource: string, verb: string) =>
  verb === '' ? [...changing].some((name) => name.startsWith(`${resource}.`)) : changing.has(`${resource}.${verb}`)

/** Nothing that a person did: previews, challenges, and the note that a request was opened. */
const reads = new Set([
  'policies.dryRun',
  'policies.check',
  'policies.preview',
  'bookingSeries.preview',
  'dpus.challengeRaise',
  'console.dryRunPolicy',
  'provisioning.checkSubdomain',
  'decisions.open',
])

const changesIn = (text: string) =>
  [...text.matchAll(/\buseChange(?:<[^()]*>)?\(/g)].map(({ index, 0: found }) => {
    const open = index + found.length - 1
    return [open, spanOf(text, open)] as const
  })

function callsOutside(text: string): string[] {
  const inside = changesIn(text)
  return [...text.matchAll(/(?:\bapi|Api\(\))\s*\.\s*(\w+)\s*(?:\.\s*(\w+)|\[)/g)].flatMap(
    ({ index, 1: resource = '', 2: verb = '' }) => {
      const name = `${resource}.${verb}`
      const isInside = inside.some(([from, to]) => index > from && index < to)
      return isChanging(resource, verb) && !reads.has(name) && !isInside ? [name] : []
    },
  )
}

const texts = files.map((file) => ({ file, text: readFileSync(root + file, 'utf8') }))

it('each call of an operation that changes something is in a change, or in a file with a reason', () => {
  const found = texts.flatMap(({ file, text }) =>
    file in elsewhere ? [] : callsOutside(text).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})

it('the list has no file without such a call', () => {
  const stale = Object.keys(elsewhere).filter((file) => {
    const text = texts.find((each) => each.file === file)?.text
    return text === undefined || callsOutside(text).length === 0
  })
  expect(stale).toEqual([])
})

it('each change can be undone, or has a reason why it can’t', () => {
  const final = texts.flatMap(({ file, text }) => {
    const count = changesIn(text).filter(([from, to]) => !/\bundo\b/.test(text.slice(from, to))).length
    return count === 0 ? [] : [[file, count]]
  })
  expect(Object.fromEntries(final)).toEqual(
    Object.fromEntries(Object.entries(finalChanges).map(([file, reasons]) => [file, reasons.length])),
  )
})

it('a mutation is made in one place, which asks for its message', () => {
  const made = texts.filter(({ text }) => /\buseMutation\(/.test(text)).map(({ file }) => file)
  expect(made).toEqual(['app/change.ts', 'areas/bookings/use-move.ts'])
})

it('a message says what was done in few words, without a period', () => {
  expect(Object.entries(en).filter(([, text]) => text.endsWith('.') || text.length > 60)).toEqual([])
})
