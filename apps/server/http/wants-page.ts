/** Whether an Accept header prefers a page: it names text/html, and does not rank JSON higher. */
export function wantsPage(accept: string | undefined): boolean {
  const liking = new Map<string, number>()
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    liking.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  const html = liking.get('text/html') ?? 0
  return html > 0 && html >= (liking.get('application/json') ?? 0)
}
