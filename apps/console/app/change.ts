/** A change on the server; afterwards what was read under these names is read again. */
import { useMutation } from '@tanstack/react-query'
import { queries } from './queries.ts'

export const useChange = <Input = void>(
  names: readonly string[],
  run: (input: Input) => Promise<unknown>,
  onDone?: () => void,
) =>
  useMutation({
    mutationFn: async (input: Input) => {
      await run(input)
      await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    },
    ...(onDone && { onSuccess: onDone }),
  })
