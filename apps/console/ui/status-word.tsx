/** A state is a glyph, a word and a color together, never a color alone. */
export type Tone = 'verified' | 'waiting' | 'broken' | 'plain'

const glyphs: Readonly<Record<Tone, string>> = { verified: '✓', waiting: '◷', broken: '✕', plain: '○' }

interface Properties {
  readonly tone: Tone
  readonly children: string
}

export const StatusWord = ({ tone, children }: Properties) => (
  <span className={`status ${tone === 'plain' ? 'soft' : tone}`}>
    <span aria-hidden="true">{glyphs[tone]} </span>
    {children}
  </span>
)
