import { expect, it } from 'vitest'
import { deviceOf } from '../device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'macOS'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge',
    'Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) CriOS/142.0 Mobile/15E148 Safari/604.1', 'Chrome', 'iPad'],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S928N) ${webkit} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/142.0 Mobile Safari/537.36;KAKAOTALK 2511`,
    'KakaoTalk',
    'Android',
  ],
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/138.0 Whale/4.33 Safari/537.36`, 'Whale', 'Windows'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
  ['curl/8.14.1', 'curl', null],
  ['node', null, null],
  ['', null, null],
  ['<script>alert(1)</script> Chromeo/1', null, null],
  [`${'x'.repeat(600)} Chrome/142.0 (Windows)`, null, null],
])('%s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system })
})
