import { describe, expect, it } from 'vitest'
import { requireSound } from '../password-rules.ts'

const known = ['kim.areum.2026@people.example', '하늘 재활 발달 센터 강남', 'Haneul Rehabilitation']

describe('refused', () => {
  it.each([
    ['a common one', 'password1234'],
    ['a common one in capitals', 'PassWord1234'],
    ['a common one in full width', 'ｐａｓｓｗｏｒｄ１２３４'],
    ['a common one with blanks between', 'pass word 1234'],
    ['a row of keys', 'qwertyuiop'],
    ['digits in order', '1234567890'],
    ['twelve blanks', ' '.repeat(12)],
    ['nine characters and blanks', 'k7#vQ2!xZ   '],
    ['nine characters and invisible ones', 'k7#vQ2!xZ\u200b\u200b'],
    ['the address', 'Kim.Areum.2026@people.example'],
    ['the first part of the address', 'kim.areum.2026'],
    ['the name of the center', '하늘재활발달센터강남'],
    ['the name of the center in capitals', 'HANEUL REHABILITATION'],
  ])('%s', (_, password) => {
    expect(() => requireSound(password, known)).toThrow(/Choose another one/)
  })
})

describe('accepted', () => {
  it.each([
    'a password for tests',
    '봄여름가을겨울 2026',
    'correct horse battery staple',
    'a new password',
    'k7#vQ2!xZt',
  ])('%s', (password) => {
    expect(() => requireSound(password, known)).not.toThrow()
  })
})
