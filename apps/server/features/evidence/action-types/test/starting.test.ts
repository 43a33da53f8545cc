import { verticals } from '@countersign/contract/enums.ts'
import { describe, expect, it } from 'vitest'
import { startingTemplates } from '../../../../verticals/action-types.ts'
import { templateOf } from '../action-type.ts'
import { startingTypes } from '../starting.ts'

describe.each(verticals)('the starting templates of %s', (vertical) => {
  const templates = startingTemplates(vertical)

  it('are what a center could have sent', () => {
    for (const { type, name, sentence, labels } of templates) {
      const sent = { name, labels, ...(sentence && { sentence }) } as Parameters<typeof templateOf>[1]
      expect(templateOf(type, sent)).toEqual({ type, name, sentence, labels })
    }
  })

  it('have every text in both languages, and a label for every value of a sentence', () => {
    for (const { name, sentence, labels } of templates) {
      for (const text of [name, ...(sentence ? [sentence] : []), ...Object.values(labels)]) {
        expect(Object.keys(text).sort()).toEqual(['en', 'ko'])
      }
      for (const text of Object.values(sentence ?? {})) {
        const named = [...text.matchAll(/\{([^}]*)\}/g)].map(([, pointer]) => pointer as string)
        expect(Object.keys(labels)).toEqual(expect.arrayContaining(named))
      }
    }
  })

  it('are of different types', () => expect(startingTypes(vertical).size).toBe(templates.length))
})
