/** What a row shows of a content: its first line with words, without the marks of Markdown. */
export function firstLine(content: string): string {
  for (const line of content.split('\n')) {
    const words = line
      .replace(/^[\s#>*|-]+/, '')
      .replaceAll(/\*\*|`/g, '')
      .trim()
    if (words !== '') return words
  }
  return ''
}
