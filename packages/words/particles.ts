/** Korean particles follow the sound of the word before them: 환불을, 수업료를, 서울로, 8을. */

export const particles = {
  은는: ['은', '는'],
  이가: ['이', '가'],
  을를: ['을', '를'],
  과와: ['과', '와'],
  으로: ['으로', '로'],
} as const

export type Particle = keyof typeof particles

/** How digits end when they are read: 영 일 이 삼 사 오 육 칠 팔 구. */
const digitEnds = [21, 8, 0, 16, 0, 0, 1, 8, 8, 0]
const firstSyllable = 0xac00
const lastSyllable = 0xd7a3
const finals = 28
const rieul = 8

/** The final consonant of the last syllable, 0 for none, null where it cannot be known. */
function finalOf(text: string): number | null {
  const last = text.replaceAll(/[\s"'”’)\].,]+$/gu, '').at(-1) ?? ''
  if (/\d/.test(last)) return digitEnds[Number(last)] as number
  const code = last.charCodeAt(0)
  return code >= firstSyllable && code <= lastSyllable ? (code - firstSyllable) % finals : null
}

export function withParticle(text: string, particle: Particle): string {
  const [after, otherwise] = particles[particle]
  const final = finalOf(text)
  if (final === null) return `${text}${after}(${otherwise})`
  const closed = final !== 0 && !(particle === '으로' && final === rieul)
  return text + (closed ? after : otherwise)
}
