/**
 * The HTML alternative of a mail, made from its text: the same words on the paper of the pages. Texts hold names that
 * strangers chose, so the body is a tree in which they are only texts, and only addresses of this server become links.
 * Nothing is loaded from elsewhere.
 */
import { type Drawing, draw, svgText, visible } from '@countersign/design/drawing.ts'
import { markDrawing } from '@countersign/design/mark.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
  /** Of the text; English where it is not given. */
  readonly language?: 'ko' | 'en'
  /** The line before the address that the mail leads to; the two are shown as a button. */
  readonly button?: string
}

/** The center in whose name a mail is sent. */
export interface Brand {
  readonly name: string
  /** `#rrggbb` */
  readonly color: string
  /** Whether the mail names nobody else. */
  readonly isAlone?: boolean
}

/** Values of packages/design/tokens.css: mail programs know no variables. */
const style = [
  'body{margin:0;padding:20px;background:#fbfaf6;color:#1b1f23;font:400 15px/24px Pretendard,-apple-system,"Apple SD Gothic Neo","Malgun Gothic",sans-serif}',
  '.sheet{max-width:560px;margin:0 auto;padding:0 32px 20px;background:#ffffff;border:1px solid #e4e1d8}',
  '.brand{padding:12px 0;border-bottom:2px solid #1b1f23;font-weight:700}',
  'svg{vertical-align:-6px;margin-right:8px}',
  'p{margin:0 0 20px}',
  '.foot{margin:32px 0 0;color:#5a6168;font-size:14px}',
  ':lang(ko){word-break:keep-all}',
  'a{color:#1f4f8f;overflow-wrap:anywhere}',
  'a.button{display:inline-block;padding:10px 20px;background:#1b1f23;color:#ffffff;text-decoration:none;font-weight:700}',
  '@media(prefers-color-scheme:dark){body{background:#15181a;color:#ece9e2}.sheet{background:#1c2023;border-color:#30363a}.brand{border-color:#ece9e2}a{color:#8db8f2}a.button{background:#ece9e2;color:#15181a}.foot{color:#a3abb2}}',
].join('')

export function mailHtml(
  { subject, text, language = 'en', button }: MailText,
  addresses: readonly string[],
  brand: Brand | null = null,
): string {
  const origins = addresses.map((address) => `${new URL(address).origin}/`)
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => buttonIn(paragraph, button, origins) ?? draw('p', {}, ...lines(paragraph, origins)))
  const sheet = draw(
    'div',
    { class: 'sheet' },
    ...(brand ? headOf(brand) : [draw('p', { class: 'brand' }, ...own)]),
    ...paragraphs,
    ...(brand && !brand.isAlone ? [draw('p', { class: 'foot' }, ...own)] : []),
  )
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark">',
    `${svgText(draw('title', {}, visible(subject)))}<style>${style}</style></head><body>${svgText(sheet)}</body></html>`,
  ].join('\n')
}

function buttonIn(paragraph: string, button: string | undefined, origins: readonly string[]): Drawing | null {
  const [label, address = '', ...more] = paragraph.split('\n')
  const isButton = label === button && more.length === 0 && origins.some((origin) => address.startsWith(origin))
  if (!isButton || label === undefined) return null
  return draw('p', {}, draw('a', { class: 'button', href: visible(address) }, visible(label.replace(/:$/, ''))))
}

const own = [markDrawing({ label: '' }), 'Countersign']

/** The color of a center is a line and never a text, so that any color leaves every word readable. */
const headOf = ({ name, color }: Brand): readonly Drawing[] => {
  const edge = /^#[0-9a-f]{6}$/.test(color) ? `border-color:${color}` : ''
  return [draw('p', { class: 'brand', style: edge }, visible(name))]
}

const lines = (paragraph: string, origins: readonly string[]): (Drawing | string)[] =>
  paragraph.split('\n').flatMap((line, at) => {
    const shown = visible(line)
    const address = shown.trim()
    const isOwn = !address.includes(' ') && origins.some((origin) => address.startsWith(origin))
    const inside = isOwn ? draw('a', { href: address }, address) : shown
    return at === 0 ? [inside] : [draw('br', {}), inside]
  })
