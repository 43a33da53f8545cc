/** A change on the server: afterwards what was read under these names is read again, and the person is told what was done. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { forgetLast, tell } from './done.ts'
import { queries } from './queries.ts'

/**
 * Why a change has no message: the page shows its result in the same place (`shown`), another page opens that shows it (`opens`), the
 * person gets a file (`file`), or nothing has changed yet (`asked`).
 */
export type Silence = 'shown' | 'opens' | 'file' | 'asked'

interface After<Input, Result> {
  /** What was done, with the name of the thing; null if nothing was. */
  readonly told: Silence | ((result: Result, input: Input) => string | null)
  /** Takes it back. */
  readonly undo?: (result: Result, input: Input) => (() => Promise<unknown>) | undefined
  readonly onDone?: (result: Result, input: Input) => void
  readonly onFailed?: () => void
}

export const useChange = <Input = void, Result = unknown>(
  names: readonly string[],
  run: (input: Input) => Promise<Result>,
  { told, undo, onDone, onFailed }: After<Input, Result>,
) => {
  const reset = useRef(() => {})
  const mutation = useMutation({
    // As things stood when the person acted: what is read again meanwhile must not become what is restored.
    onMutate() {
      forgetLast()
      return { told, undo }
    },
    mutationFn: async (input: Input) => {
      const result = await run(input)
      await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
      return result
    },
    onSuccess(result, input, then) {
      const text = typeof then.told === 'function' ? then.told(result, input) : null
      const back = text === null ? undefined : then.undo?.(result, input)
      // The form no longer says that it was saved.
      const undo =
        back &&
        (async () => {
          await back()
          reset.current()
        })
      if (text !== null) tell({ text, names, undo })
      onDone?.(result, input)
    },
    ...(onFailed && { onError: onFailed }),
  })
  useEffect(() => {
    reset.current = mutation.reset
  }, [mutation.reset])
  return { ...mutation, isTold: typeof told === 'function' }
}
