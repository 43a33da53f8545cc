import { expect, it } from 'vitest'
import { contrast, isRed, lineColor, ownLogo } from '../app/brand.ts'

it('computes the contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

it.each(['#b9331f', '#ff0000', '#c8102e', '#f0765f', '#8b0000', '#d9462b', '#cc3366'])('%s is a red', (color) => {
  expect([isRed(color), lineColor(color, 'light'), lineColor(color, 'dark')]).toEqual([true, null, null])
})

it.each([
  ['#1f4f8f', '#1f4f8f', null],
  ['#0b6b4a', '#0b6b4a', null],
  ['#8db8f2', null, '#8db8f2'],
  ['#d98200', null, '#d98200'],
  ['#6f6f6f', '#6f6f6f', '#6f6f6f'],
  ['#fbfaf6', null, '#fbfaf6'],
  ['not a color', null, null],
])('%s is a line of %s on paper and of %s in the dark', (color, light, dark) => {
  expect([lineColor(color, 'light'), lineColor(color, 'dark')]).toEqual([light, dark])
})

it.each([
  ['data:image/png;base64,iVBORw0KGgo=', true],
  ['https://care.example/logo.png', true],
  [`/assets/logos/${'0'.repeat(64)}.png`, true],
  ['//other.example/logo.png', false],
  ['/\\other.example/logo.png', false],
  ['https://care.example.evil.example/logo.png', false],
  ['https://other.example/logo.png', false],
  ['data:text/html,<b>', false],
  ['javascript:alert(1)', false],
  ['', false],
])('a logo at %s is shown: %s', (logo, isShown) => {
  expect(ownLogo(logo, 'https://care.example') !== null).toBe(isShown)
})
