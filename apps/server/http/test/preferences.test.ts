import { describe, expect, it } from 'vitest'
import { preferredLanguage, wantsPage } from '../preferences.ts'

describe('an Accept header', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'text/html;q=0.9, application/json;q=0.9',
    'TEXT/HTML; charset=utf-8',
  ])('prefers a page: %s', (accept) => expect(wantsPage(accept)).toBe(true))

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/ld+json, */*;q=0.1',
    'application/json, text/html;q=0.9',
    'text/html;q=0',
    'text/html;q=x',
    'text/*',
  ])('does not prefer a page: %s', (accept) => expect(wantsPage(accept)).toBe(false))
})

it.each([
  [undefined, null],
  ['*', null],
  ['fr-FR', null],
  ['ko-KR', 'ko'],
  ['en', 'en'],
  ['en-US,en;q=0.9,ko;q=0.8', 'en'],
  ['fr, ko;q=0.5, en;q=0.4', 'ko'],
  ['ko;q=0, en;q=0.1', 'en'],
])('an Accept-Language header %j prefers %s', (header, language) => expect(preferredLanguage(header)).toBe(language))
