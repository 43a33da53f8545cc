/**
 * No alert fires on a healthy installation, idle or busy. Here the windows of the rules are 20 times shorter, with a scrape a second;
 * the long form, `npm run chaos -- alerts`, has the rules as they are, for ten minutes each. Neither waits for what takes hours:
 * the alerts about a day's error budget and about three hours without a verification have unit tests in deploy/observability.
 */
import { expect, it } from 'vitest'
import { watchSilence } from './alerts.ts'

it('every alert is silent on an idle and on a busy healthy installation', { timeout: 180_000 }, async () => {
  const { fired, scrapes, sealed, refused } = await watchSilence({ seconds: 20, by: 20 })
  expect(fired).toEqual([])
  // The rules had something to judge.
  expect(scrapes).toBeGreaterThan(60)
  expect(sealed).toBeGreaterThan(50)
  expect(refused).toBe(0)
})
