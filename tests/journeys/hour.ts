/** A developer's hour: the steps of a page, each with its seconds, printed when the test ends. */
export interface Hour {
  /** Does the next thing that the page says. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>
  /** Prints the steps; returns the seconds of all. */
  end(): number
}

export function beginHour(title: string): Hour {
  const lines: string[] = []
  const began = performance.now()
  const seconds = (since: number) => (performance.now() - since) / 1000
  return {
    async step(what, work) {
      const started = performance.now()
      const result = await work()
      lines.push(`${String(lines.length + 1).padStart(4)}  ${seconds(started).toFixed(1).padStart(6)} s  ${what}`)
      return result
    },
    end() {
      const all = seconds(began)
      process.stdout.write(`${title}: ${lines.length} steps, ${all.toFixed(1)} s\n${lines.join('\n')}\n`)
      return all
    },
  }
}
