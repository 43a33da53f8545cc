/** Variables that a line sets, and text in it that a shell evaluates: by both, what runs may be other than what is written. */
import type { Assignment, SyntaxNode } from 'unbash'
import { harmlessValues, type Unresolved } from './shell-lines.ts'
import { isCommandTable, isDangerousVariable, runsInSubscript } from './shell-programs.ts'
import { anyWords, known, unknown, type Variables, type Word, wordOf } from './shell-words.ts'

interface Values {
  readonly unresolved: Set<Unresolved>
  readonly variables: Variables
  name(word: Word): void
}

export function assignment(reader: Values, { name, value, index, append }: Assignment): void {
  const isHarmless = value.type === 'Word' && harmlessValues.has(wordOf(value, reader.variables).text ?? unknown)
  if (isDangerousVariable(name) && !isHarmless) reader.unresolved.add('variable')
  if (isCommandTable(name) && (index || append || value.type !== 'Word')) reader.unresolved.add('alias')
  if (index) subscript(reader, wordOf(index, reader.variables), true)
  for (const each of value.type === 'Word' ? [value] : value.elements) {
    const word = wordOf(each, reader.variables)
    subscript(reader, word)
    reader.name(word)
  }
}

/** Text that the shell evaluates as arithmetic, or may later: commands in a subscript run, also those that were quoted. */
export function subscript(reader: Values, { shape }: Word, isInside = false): void {
  if (isInside ? /\$\(|`/.test(shape) : runsInSubscript.test(shape)) reader.unresolved.add('code')
}

/** Parts of words that run text as code. */
export function expansion(reader: Values, node: SyntaxNode): void {
  if (node.type === 'ArithmeticWord' && runsInSubscript.test(node.value)) reader.unresolved.add('code')
  if (node.type === 'TestUnary') subscript(reader, wordOf(node.operand, reader.variables))
  if (node.type === 'TestBinary') {
    for (const each of [node.left, node.right]) subscript(reader, wordOf(each, reader.variables))
  }
  if (node.type !== 'ParameterExpansion') return
  const { index, operation } = node
  if (index) subscript(reader, wordOf(index, reader.variables), true)
  // `${x@P}` is run as a prompt is, and so are other marks of other shells.
  if (operation?.type === 'Transform' && !/^[QEAaUuLKk]$/.test(operation.operand.text)) reader.unresolved.add('code')
  if (operation?.type === 'Unknown') reader.unresolved.add('code')
  if (operation?.type === 'Slice') {
    for (const each of [operation.offset, operation.length]) if (each) subscript(reader, wordOf(each, reader.variables))
  }
}

/** A word that names a variable, perhaps with a value. */
export function variable(reader: Values, { text, shape }: Word): void {
  const name = /^\w+/.exec(text ?? shape)?.[0]
  if (name === undefined ? text === null : isDangerousVariable(name)) reader.unresolved.add('variable')
  if (name !== undefined && isCommandTable(name) && /^\w+(\+?=\(|\[)/.test(text ?? shape))
    reader.unresolved.add('alias')
}

export function setVariables(reader: Values, program: string, rest: readonly Word[]): void {
  const at = program === 'printf' ? rest.findIndex(({ text }) => /^-v/.test(text ?? '')) : -1
  if (program === 'printf') {
    if (at >= 0)
      variable(reader, rest[at]?.text === '-v' ? (rest[at + 1] ?? anyWords) : known(rest[at]?.text?.slice(2) ?? ''))
    return
  }
  // Another name for a variable that isn't known.
  if (rest.some(({ text }) => /^-\w*n/.test(text ?? '') && /^(declare|typeset|local)$/.test(program))) {
    reader.unresolved.add('variable')
  }
  for (const each of rest) if (!/^[-+]/.test(each.text ?? '')) variable(reader, each)
}
