/**
 * Text from a file, made safe to print: a character that a reader cannot see, or that moves or hides its neighbors, is
 * written as an escape. Terminal escapes, line breaks and bidirectional controls in a name could otherwise forge a verdict.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** Variation selectors change the look of one character and stand in ordinary emoji. */
const harmless = /[\ufe00-\ufe0f]/
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export const shown = (text: string): string =>
  text.replace(hidden, (char) =>
    harmless.test(char) ? char : (short[char] ?? `\\u{${(char.codePointAt(0) as number).toString(16)}}`),
  )

/** The same for JSON: every escape stays valid in it, and the value stays the same. */
export const shownJson = (text: string): string =>
  text.replace(hidden, (char) =>
    char === '\n' || harmless.test(char)
      ? char
      : Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
          '',
        ),
  )
