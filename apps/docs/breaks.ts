/** Where a line may end inside of inline code: in tables and headings after a separator, and never inside of an option. */

/** Names of these lengths fit into a column of a phone, and of a wide page. */
const onPhone = 12
const onWidePage = 24

const separators = /(?<=[\w});\]][/._:=])(?=[a-zA-Z{&])|(?<=,|:\/\/)(?=\w)|(?<=[a-z]{3})(?=[A-Z][a-z]{2})/g
const option = /(?<=^|\s)--[a-z][\w-]*/g

/** Code in blocks has a class, and inline code has none. */
const inCode = (html: string, change: (text: string) => string): string =>
  html.replaceAll(/<code>([^<]*)<\/code>/g, (_, text: string) => `<code>${change(text)}</code>`)

const broken = (text: string): string =>
  text.replaceAll(/\S+/g, (word) => {
    if (word.length <= onPhone || word.startsWith('--')) return word
    return word.replaceAll(separators, word.length > onWidePage ? '<wbr class="wide">' : '<wbr>')
  })

export const withBreaks = (html: string): string =>
  inCode(html, (text) => text.replaceAll(option, '<span class="option">$&</span>')).replaceAll(
    /<(td|h[2-4])\b[^>]*>[\s\S]*?<\/\1>/g,
    (part) => inCode(part, broken),
  )
