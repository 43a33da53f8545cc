/** A small chain and one attack; `npm run chaos -- rewrite` makes all of them on half a million entries. */
import { expect, it } from 'vitest'
import { chaosRewrite } from './rewrite.ts'

it('history that was rewritten is found by everybody', {
  timeout: 300_000,
}, async () => {
  expect(await chaosRewrite({ more: { events: 600 } }, ['rewritten'])).toMatchObject({ violations: 0 })
})
