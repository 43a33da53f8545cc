import { createECDH } from 'node:crypto'
import { expect, it } from 'vitest'
import { decrypt, newBrowserKeys } from '../../../../tests/support/push-service.ts'
import { areKeys, encrypt } from '../transports/push-encryption.ts'

it('the message of RFC 8291, byte for byte', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url')
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const drawn = { salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'), sender }
  expect(encrypt('When I grow up, I want to be a watermelon', keys, drawn).toString('base64url')).toBe(
    [
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml',
      'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT',
      'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    ].join(''),
  )
})

it('only the browser reads it, and no two messages are alike', () => {
  const [browser, other] = [newBrowserKeys(), newBrowserKeys()]
  const [one, two] = [encrypt('기다립니다', browser.keys), encrypt('기다립니다', browser.keys)]
  expect([decrypt(one, browser), decrypt(two, browser)]).toEqual(['기다립니다', '기다립니다'])
  expect(one.equals(two)).toBe(false)
  expect(() => decrypt(one, other)).toThrow()
})

it('keys that are no point of the curve or too short are refused', () => {
  const { keys } = newBrowserKeys()
  expect(areKeys(keys)).toBe(true)
  expect(areKeys({ ...keys, auth: 'AAAA' })).toBe(false)
  expect(areKeys({ ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') })).toBe(false)
})
