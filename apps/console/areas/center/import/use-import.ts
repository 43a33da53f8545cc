/** The way of an import: what was read, what it would do, what it has done. */
import { useState } from 'react'
import { queries } from '../../../app/queries.ts'
import type { Person } from './people.ts'
import { type Report, run } from './run.ts'

interface Choice {
  readonly people: readonly Person[]
  readonly approved: boolean
}

export function useImport(center: string) {
  const [choice, setChoice] = useState<Choice | null>(null)
  const [preview, setPreview] = useState<Report | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)

  async function go(next: Choice, dryRun: boolean): Promise<Report | null> {
    setError(null)
    setProgress(0)
    try {
      return await run({ center, ...next, dryRun, onProgress: setProgress })
    } catch (failure) {
      setError(failure)
      return null
    } finally {
      setProgress(null)
    }
  }

  return {
    ...{ preview, report, progress, error },
    size: choice?.people.length ?? 0,
    async look(next: Choice) {
      setChoice(next)
      setPreview(await go(next, true))
    },
    async confirm() {
      if (!choice) return
      setReport(await go(choice, false))
      for (const name of ['members', 'children']) void queries.invalidateQueries({ queryKey: [name] })
    },
    restart() {
      setChoice(null)
      setPreview(null)
      setReport(null)
      setError(null)
    },
  }
}
