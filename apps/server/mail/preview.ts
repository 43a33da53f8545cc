/** The newest mails that a process in development did not send, and every template with sample facts. */
import { draw, svgText, visible } from '@countersign/design/drawing.ts'
import type { Language } from '@countersign/words/say.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { type CenterVoice, compose } from './compose.ts'
import { mailHtml } from './html.ts'
import { mailNames, sampleOf } from './templates.ts'

export interface Preview {
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly at: Date
}

const mostKept = 50

export function previews() {
  const all: Preview[] = []
  return {
    all,
    add(preview: Preview): void {
      all.unshift(preview)
      all.length = Math.min(all.length, mostKept)
    },
  }
}

/** Of the center whose name is in the samples. */
export const sampleVoice: CenterVoice = { timeZone: 'Asia/Seoul', terms: tradeTerms('rehabilitation') }
const sampleBrand = { name: '하늘재활센터', color: '#1f5fbf' }

/** By the last part of its address: `invitation.ko`. */
export function samplePage(address: string): string | undefined {
  const [name, language] = address.split('.')
  const known = mailNames.find((each) => each === name)
  if (!known || (language !== 'ko' && language !== 'en')) return undefined
  return mailHtml(compose(sampleOf(known), language, sampleVoice), ['https://sample.example'], sampleBrand)
}

/** A text message, as a page. */
export const textHtml = (text: string): string =>
  `<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>Text message</title></head><body>${svgText(draw('p', {}, visible(text)))}</body></html>`

const languages: readonly Language[] = ['ko', 'en']

export function previewList(sent: readonly Preview[]): string {
  const link = (to: string, text: string) => draw('a', { href: `/dev/mail/${to}` }, text)
  const rows = sent.map(({ to, subject, at }, index) =>
    draw('li', {}, link(String(index), visible(subject)), ` ${visible(to)}, ${at.toISOString()}`),
  )
  const samples = mailNames.map((name) =>
    draw('li', {}, `${name}: `, ...languages.flatMap((language) => [link(`${name}.${language}`, language), ' '])),
  )
  const body = draw(
    'main',
    {},
    draw('h1', {}, 'Email in development'),
    draw(
      'p',
      {},
      'This process sends nothing for which it has no SMTP_URL or TEXT_URL. It keeps the newest 50 emails and text messages in memory.',
    ),
    draw('h2', {}, 'Emails from this process'),
    rows.length > 0 ? draw('ul', {}, ...rows) : draw('p', {}, 'None yet. Invite a member or reset a password.'),
    draw('h2', {}, 'Templates'),
    draw('ul', {}, ...samples),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Email in development</title></head><body>${svgText(body)}</body></html>`
}
