/**
 * Executions per second of a workflow of three steps, from the request to the record in the chain, next to the same
 * steps run in one process with the same writes: interleaved windows, each over its own centers.
 */
import { openWorld } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say, settings, startProcess } from './place.ts'
import { sized } from './sized.ts'

const centers = sized(8, 2)

export async function benchExecute({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const env = settings(place, 'worker')
  const newCenters = async () => {
    const made: number[] = []
    for (let n = 0; n < centers; n++) made.push((await world.center()).id)
    return made
  }
  const [ours, theirs] = [await newCenters(), await newCenters()]
  const runner = await startProcess(
    'execute-runner.process.ts',
    env,
    profile ? ['--cpu-prof', '--cpu-prof-dir=.dev'] : [],
  )
  const bare = await startProcess('bare-execute.process.ts', env)
  const values: number[] = []
  const bares: number[] = []
  let cpu = 0
  try {
    await runner.ask({ centerIds: ours, seconds: 1 })
    await bare.ask({ centerIds: theirs, seconds: 1 })
    for (let window = 1; window <= windows; window++) {
      const before = runner.cpuSeconds()
      const [value, reference] = [
        await runner.ask<number>({ centerIds: ours, seconds }),
        await bare.ask<number>({ centerIds: theirs, seconds }),
      ]
      cpu += runner.cpuSeconds() - before
      values.push(value)
      bares.push(reference)
      say(`window ${window}: ${Math.round(value)} executions/s, bare ${Math.round(reference)}`)
    }
    const [value, reference] = [median(values), median(bares)]
    return {
      value: Math.round(value),
      unit: 'executions/s',
      bare: Math.round(reference),
      ratio: Math.round((100 * value) / reference) / 100,
      windows: values.map(Math.round),
      bareWindows: bares.map(Math.round),
      cpuMicros: Math.round((1e6 * cpu) / values.reduce((sum, rate) => sum + rate * seconds, 0)),
    }
  } finally {
    await runner.stop()
    await bare.stop()
    await world.close()
    await place.close()
  }
}
