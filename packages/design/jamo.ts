/** The parts of Hangul syllables as strokes, and the room that each asks for. */
import { inBox, type Stroke, strokes } from './strokes.ts'

export interface Part {
  /** Consonants and horizontal vowels: the share of the height. Vertical vowels: the width. */
  readonly room: number
  readonly lines: readonly Stroke[]
}

const part = (room: number, text: string): Part => ({ room, lines: strokes(text) })

const simple: Readonly<Record<string, Part>> = {
  ㄱ: part(1.5, '0,0 100,0 100,100'),
  ㄴ: part(1.5, '0,0 0,100 100,100'),
  ㄷ: part(2, '100,0 0,0 0,100 100,100'),
  ㄹ: part(3, '0,0 100,0 100,50 0,50 0,100 100,100'),
  ㅁ: part(2, '0,0 100,0 100,100 0,100 0,0'),
  ㅂ: part(2.4, '0,0 0,100 100,100 100,0; 0,50 100,50'),
  ㅅ: part(1.9, '50,0 50,28 0,100; 50,28 100,100'),
  ㅇ: part(2.1, 'ring 0,0 100,100'),
  ㅈ: part(2.4, '0,0 100,0; 50,0 50,28 0,100; 50,28 100,100'),
  ㅊ: part(3.1, '30,0 70,0; 0,27 100,27; 50,27 50,47.44 0,100; 50,47.44 100,100'),
  ㅋ: part(2.2, '0,0 100,0 100,100; 0,50 100,50'),
  ㅌ: part(3, '100,0 0,0 0,100 100,100; 0,50 100,50'),
  ㅍ: part(2.2, '0,0 100,0; 0,100 100,100; 28,0 28,100; 72,0 72,100'),
  ㅎ: part(3.7, '30,0 70,0; 0,25 100,25; ring 8,50 92,100'),
}

const doubles =
  'ㄲㄱㄱ ㄸㄷㄷ ㅃㅂㅂ ㅆㅅㅅ ㅉㅈㅈ ㄳㄱㅅ ㄵㄴㅈ ㄶㄴㅎ ㄺㄹㄱ ㄻㄹㅁ ㄼㄹㅂ ㄽㄹㅅ ㄾㄹㅌ ㄿㄹㅍ ㅀㄹㅎ ㅄㅂㅅ'

function sideBySide(left: Part, right: Part): Part {
  return {
    room: Math.max(left.room, right.room),
    lines: [
      ...inBox(left.lines, { x0: 0, y0: 0, x1: 0.4, y1: 1 }),
      ...inBox(right.lines, { x0: 0.6, y0: 0, x1: 1, y1: 1 }),
    ],
  }
}

export const consonants: Readonly<Record<string, Part>> = {
  ...simple,
  ...Object.fromEntries(
    doubles.split(' ').map((three) => {
      const [name, left, right] = [...three] as [string, string, string]
      return [name, sideBySide(simple[left] as Part, simple[right] as Part)]
    }),
  ),
}

/** Below the first consonant. */
export const horizontals: Readonly<Record<string, Part>> = {
  ㅗ: part(1.3, '0,100 100,100; 50,0 50,100'),
  ㅛ: part(1.3, '0,100 100,100; 30,0 30,100; 70,0 70,100'),
  ㅜ: part(1.3, '0,0 100,0; 50,0 50,100'),
  ㅠ: part(1.3, '0,0 100,0; 30,0 30,100; 70,0 70,100'),
  ㅡ: part(0, '0,0 100,0'),
}

/** To the right of it. */
export const verticals: Readonly<Record<string, Part>> = {
  ㅏ: part(0.27, '0,0 0,100; 0,50 100,50'),
  ㅑ: part(0.27, '0,0 0,100; 0,34 100,34; 0,66 100,66'),
  ㅓ: part(0.27, '100,0 100,100; 0,50 100,50'),
  ㅕ: part(0.27, '100,0 100,100; 0,34 100,34; 0,66 100,66'),
  ㅣ: part(0, '0,0 0,100'),
  ㅐ: part(0.28, '0,0 0,100; 100,0 100,100; 0,50 100,50'),
  ㅒ: part(0.28, '0,0 0,100; 100,0 100,100; 0,34 100,34; 0,66 100,66'),
  ㅔ: part(0.4, '46,0 46,100; 100,0 100,100; 0,50 46,50'),
  ㅖ: part(0.4, '46,0 46,100; 100,0 100,100; 0,34 46,34; 0,66 46,66'),
}

/** Vowels made of one of each kind. */
export const mixedVowels: Readonly<Record<string, string>> = {
  ㅘ: 'ㅗㅏ',
  ㅙ: 'ㅗㅐ',
  ㅚ: 'ㅗㅣ',
  ㅝ: 'ㅜㅓ',
  ㅞ: 'ㅜㅔ',
  ㅟ: 'ㅜㅣ',
  ㅢ: 'ㅡㅣ',
}
