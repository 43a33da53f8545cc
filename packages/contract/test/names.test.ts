import { describe, expect, it } from 'vitest'
import { isPlainName, nameOfAddress } from '../names.ts'

describe('a name', () => {
  it.each([
    'Haneul Rehabilitation Center',
    '하늘 재활센터 (강남)',
    'Dr. Kim Ha-neul, M.D.',
    'J. R. R. Tolkien',
    'U.S. Center No. 12, Bldg.3',
    '에이.비 학원: 1관',
    'A/B 테스트',
    'Version 2.0.1',
  ])('%s', (name) => {
    expect(isPlainName(name)).toBe(true)
  })

  it.each([
    'Your account is locked: https://evil.example/login',
    'security@evil.example',
    'Visit evil.example now',
    'Visit t.co/x',
    'www.evil.kr',
    'http://203.0.113.7/x',
    'Go to 203.0.113.7',
    '은행.한국 확인',
    'ｅｖｉｌ．example',
    'evil。example',
    'help＠evil',
    'ftp：//x',
    'evil.\u200bexample',
  ])('with an address or a link is refused: %s', (name) => {
    expect(isPlainName(name)).toBe(false)
  })

  it.each(['kim.ha.neul@people.example', 'evil.com@people.example', '...@people.example'])(
    'made of %s has none',
    (address) => {
      expect(isPlainName(nameOfAddress(address))).toBe(true)
    },
  )
})
