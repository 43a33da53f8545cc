/** Every dialog is the form of ui/dialog.tsx: Enter does what its button says, and Escape closes it. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url).pathname
const texts = globSync('{areas,ui}/**/*.tsx', { cwd: root })
  .toSorted()
  .map((file) => [file, readFileSync(root + file, 'utf8')] as const)

/** The opening tags of this part, with what they are given. */
const tagsOf = (text: string, name: string) =>
  text.match(new RegExp(`<${name}\\b[\\s\\S]*?\\n?\\s*>(?=\\s*[\\n<{])`, 'g')) ?? []
const dialogs = texts.flatMap(([file, text]) => tagsOf(text, 'Dialog').map((tag) => [file, tag] as const))

/** They have nothing to submit. */
const withoutAction = [
  'areas/bookings/booking-dialog.tsx',
  'areas/center/invite-dialog.tsx',
  'areas/center/draft/send-dialog.tsx',
  'ui/help/panel.tsx',
  'ui/overlays.tsx',
  'ui/palette.tsx',
]

it('there is one element of the browser behind all dialogs', () => {
  expect(texts.filter(([, text]) => text.includes('<dialog')).map(([file]) => file)).toEqual(['ui/dialog.tsx'])
})

describe.each(dialogs)('%s', (file, tag) => {
  it('has an action that Enter runs', () => {
    expect(/\baction(=|:| &&|\})/.test(tag) || withoutAction.includes(file)).toBe(true)
  })
})

it('no dialog has a form of its own: a form in a form has no meaning', () => {
  const names = new Set(dialogs.map(([file]) => file))
  const own = texts.filter(([file, text]) => {
    if (!names.has(file) || file === 'ui/dialog.tsx') return false
    return [...text.matchAll(/<Dialog\b[\s\S]*?<\/Dialog>/g)].some(([inside]) => inside.includes('<form'))
  })
  expect(own.map(([file]) => file)).toEqual([])
})
