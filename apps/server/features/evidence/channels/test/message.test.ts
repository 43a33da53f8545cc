import { describe, expect, it } from 'vitest'
import { chatPrograms } from '../../../../delivery/transports/chat.ts'
import { plain, testMessage, waitingMessage } from '../message.ts'

const hostile = [
  '<!channel> <!here> <@U012AB3CD> <#C012AB3CD|general>',
  '@channel @here @everyone @all ＠channel',
  '<https://evil.example|your approval page>',
  '[your approval page](https://evil.example) ![x](https://evil.example/x.png)',
  'https://evil.example www.evil.example evil.example ｅｖｉｌ．ｅｘａｍｐｌｅ evil。example mail me@evil.example',
  '*bold* _italic_ ~gone~ `code` ```block``` > quoted',
  '<at>Everyone</at> {{DATE()}} $(secret) <script>alert(1)</script> &lt;!channel&gt; &#64;channel',
  'line\n# heading\n- list\n\u2028next\u202eright to left\u200b\u3164',
  ':rotating_light: :tada:',
  'Z̸̡̢̛̛a̴l̷g̸o̵',
]

const texts = (body: unknown): string[] =>
  typeof body === 'string' ? [body] : body && typeof body === 'object' ? Object.values(body).flatMap(texts) : []

describe('hostile text', () => {
  it.each(hostile)('becomes neither markup nor mention nor address: %s', (text) => {
    const shown = plain(text)
    expect(shown).not.toMatch(/[<>@#&*_~`|[\]{}\\/]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u)
    expect(shown).not.toMatch(/\.\p{L}|:\S|\p{M}{3}/u)
  })

  it.each(['slack', 'teams', 'mattermost'] as const)('leaves one link in a message to %s, which is ours', (kind) => {
    const url = 'https://auth.example/approve/evt_1'
    for (const text of hostile) {
      for (const locale of ['ko-KR', 'en']) {
        const message = waitingMessage(locale, { centerName: text, total: 2, description: text, url })
        const body = chatPrograms[kind].body(message)
        const shown = texts(body).filter((each) => !/^(http:\/\/adaptivecards|application\/)/.test(each))
        expect(shown.join('\n').match(/https?:\/\//g)).toHaveLength(1)
        expect(shown.join('\n')).toContain(url)
        expect(message.sentence).not.toMatch(/[<>@#&*_~`|[\]{}\\/\n]/)
        expect(JSON.stringify(body)).not.toMatch(/"actions"|Action\.|"callback_id"|"channel"|"mentioned"/)
      }
    }
  })
})

it('keeps ordinary sentences, and cuts long ones', () => {
  expect(plain('환불 820,000원 (주문 1041): 고객 요청, 3.5% 할인 - OK?')).toBe(
    '환불 820,000원 (주문 1041): 고객 요청, 3.5% 할인 - OK?',
  )
  expect([...plain('가'.repeat(500))]).toHaveLength(120)
})

it('is in the language of the center, and folds many decisions into one sentence', () => {
  const waiting = { centerName: '하늘', description: '환불', url: 'https://auth.example/approve/evt_1' }
  expect(waitingMessage('ko-KR', { ...waiting, total: 1 }).sentence).toBe('하늘 – 승인을 기다리는 결정: 환불')
  expect(waitingMessage('ko-KR', { ...waiting, total: 7 }).sentence).toBe(
    '하늘 – 승인을 기다리는 결정 7건, 최근 결정: 환불',
  )
  expect(waitingMessage('en-US', { ...waiting, total: 7 }).sentence).toBe(
    '하늘 – 7 decisions are waiting for approval. Newest: 환불',
  )
  expect(testMessage('en', 'Haneul', 'https://auth.example/').sentence).toContain('test message')
})
