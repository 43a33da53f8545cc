/** The words of a command, as far as they are known before it runs. */
import type { Redirection, SyntaxNode, Word as SyntaxWord, WordPart } from 'unbash'

export interface Word {
  /** Null if it isn't known. */
  readonly text: string | null
  /** Whether it may become no word or several, or begin with an option. */
  readonly isMany: boolean
  /** The text with `unknown` for each part that isn't known. */
  readonly shape: string
}

/** No word contains it: a shell can't pass a NUL to a program. */
export const unknown = '\0'

export const known = (text: string): Word => ({ text, isMany: false, shape: text })
export const anyWords: Word = { text: null, isMany: true, shape: unknown }

interface Pieces {
  shape: string
  isMany: boolean
}

export type Variables = Readonly<Record<string, string | undefined>>

/** `$HOME`, `${HOME}`; null for everything that does more than that. */
const nameIn = (part: WordPart): string | null => {
  if (part.type === 'SimpleExpansion') return part.text.slice(1)
  if (part.type !== 'ParameterExpansion') return null
  const { prefix, index, operation, parameter } = part
  return prefix === undefined && index === undefined && operation === undefined ? parameter : null
}

function addPart(part: WordPart, pieces: Pieces, isQuoted: boolean, variables: Variables): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      pieces.shape += part.value
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const each of part.parts) addPart(each, pieces, true, variables)
      return
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const name = nameIn(part)
      const value = name === null ? undefined : variables[name]
      if (value !== undefined) {
        pieces.shape += value
        return
      }
      pieces.shape += unknown
      pieces.isMany ||= !isQuoted || /[@*]/.test(part.text)
      return
    }
    case 'ArithmeticExpansion':
      pieces.shape += unknown
      return
    case 'ProcessSubstitution':
      // What the shell puts there.
      pieces.shape += `/dev/fd/${unknown}`
      return
    default:
      pieces.shape += unknown
      pieces.isMany ||= !isQuoted
  }
}

/** `variables`: those whose values are known. */
export function wordOf({ text, value, parts }: SyntaxWord, variables: Variables): Word {
  const pieces: Pieces = { shape: '', isMany: false }
  if (parts === undefined) pieces.shape = value
  else for (const part of parts) addPart(part, pieces, false, variables)
  if (/^~(\/|$)/.test(text) && pieces.shape.startsWith('~')) {
    pieces.shape = `${variables.HOME ?? unknown}${pieces.shape.slice(1)}`
  } else if (text.startsWith('~')) pieces.shape = pieces.shape.replace(/^[^/]*/, unknown)
  const isKnown = !pieces.shape.includes(unknown)
  return { text: isKnown ? pieces.shape : null, isMany: !isKnown && pieces.isMany, shape: pieces.shape }
}

/**
 * The text of a here-document's body; null if it depends on expansions. Unless its delimiter is quoted, the shell takes backslashes
 * out before the command reads it.
 */
export function bodyOf(node: Extract<SyntaxNode, { type: 'HereDoc' }>): string | null {
  const { parts, text } = node.body
  if (!node.delimiter?.quoted && text.includes('\\')) return null
  return parts === undefined || parts.every(({ type }) => type === 'Literal') ? text : null
}

/** Which of the command's files a redirection is for; null for a variable that is to hold its number. */
export function descriptorOf(redirection: Redirection): number | null {
  const { descriptor } = redirection
  if (descriptor) return descriptor.type === 'FileDescriptor' ? descriptor.value : null
  return redirection.type !== 'Redirect' || /^</.test(redirection.operator) ? 0 : 1
}
