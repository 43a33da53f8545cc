/** What a caller prefers, by its Accept headers. */

function qualities(header: string | undefined): ReadonlyMap<string, number> {
  const liking = new Map<string, number>()
  for (const range of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    liking.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return liking
}

/** Whether an Accept header prefers a page: it names text/html, and does not rank JSON higher. */
export function wantsPage(accept: string | undefined): boolean {
  const liking = qualities(accept)
  const html = liking.get('text/html') ?? 0
  return html > 0 && html >= (liking.get('application/json') ?? 0)
}

/** Korean or English, whichever an Accept-Language header ranks higher; null where it names neither. */
export function preferredLanguage(header: string | undefined): 'ko' | 'en' | null {
  const best = { ko: 0, en: 0 }
  for (const [range, quality] of qualities(header)) {
    const language = range.split('-')[0]
    if (language === 'ko' || language === 'en') best[language] = Math.max(best[language], quality)
  }
  if (best.ko === 0 && best.en === 0) return null
  return best.ko >= best.en ? 'ko' : 'en'
}
