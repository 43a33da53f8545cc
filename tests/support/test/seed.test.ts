import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSeed, restartRandom, testSeed } from '../seed.ts'
import { some } from '../some.ts'

const many = Array.from({ length: 100 }, (_, n) => n)

it('the same seed makes the same choices', () => {
  const choose = () => {
    restartRandom()
    return [some(many, 5), some(many, 5)]
  }
  const [one, other] = [choose(), choose()]
  expect(one).toEqual(other)
  expect(one[0]).not.toEqual(one[1])
})

it('fast-check draws from the seed of the run', () => {
  expect(fc.readConfigureGlobal()?.seed).toBe(testSeed())
})

it('TEST_SEED names the seed; without it every run has another', () => {
  expect(readSeed('7')).toBe(7)
  expect(readSeed(undefined)).not.toBe(readSeed(undefined))
  for (const text of ['x', '-1', '1.5', '2147483648']) expect(() => readSeed(text)).toThrow('TEST_SEED')
})
