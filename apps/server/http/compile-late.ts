/**
 * Schemas are compiled when their operation is first called. To compile those of all operations takes more than a second,
 * which every start of a process would wait for; one takes a few milliseconds.
 */
import type { CompiledCheck } from './validation.ts'

export function atFirstUse<Input, Output>(compile: () => (input: Input) => Output): (input: Input) => Output {
  let compiled: ((input: Input) => Output) | undefined
  return (input) => {
    compiled ??= compile()
    return compiled(input)
  }
}

export function atFirstCheck(compile: () => CompiledCheck): CompiledCheck {
  let compiled: CompiledCheck | undefined
  const check: CompiledCheck = (data) => {
    compiled ??= compile()
    const valid = compiled(data)
    check.errors = compiled.errors ?? null
    return valid
  }
  return check
}
