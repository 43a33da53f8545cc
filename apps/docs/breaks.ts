/** Where a line may end inside of inline code: in tables and headings after a separator, and never inside of an option. */

/** A name of this length fits into a column of a phone. */
const short = 13

const separators = /(?<=[\w});][/._:=])(?=[a-zA-Z{&])|(?<=[a-z]{3})(?=[A-Z][a-z]{2})/g
const option = /(?<=^|\s)--[a-z][\w-]*/g

/** Code in blocks has a class, and inline code has none. */
const inCode = (html: string, change: (text: string) => string): string =>
  html.replaceAll(/<code>([^<]*)<\/code>/g, (_, text: string) => `<code>${change(text)}</code>`)

const broken = (text: string): string =>
  text.replaceAll(/\S+/g, (word) =>
    word.length <= short || word.startsWith('--') ? word : word.replaceAll(separators, '<wbr>'),
  )

export const withBreaks = (html: string): string =>
  inCode(html, (text) => text.replaceAll(option, '<span class="option">$&</span>')).replaceAll(
    /<(td|h[2-4])\b[^>]*>[\s\S]*?<\/\1>/g,
    (part) => inCode(part, broken),
  )
