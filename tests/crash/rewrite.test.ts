/** A small chain and one attack; `npm run chaos -- rewrite` runs all attacks on half a million entries. */
import { expect, it } from 'vitest'
import { chaosRewrite } from './rewrite.ts'

it('detects a rewritten history in the server, the audit and the witness', {
  timeout: 300_000,
}, async () => {
  expect(await chaosRewrite({ more: { events: 600 } }, ['rewritten'])).toMatchObject({ violations: 0 })
})
