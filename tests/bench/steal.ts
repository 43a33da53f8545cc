/** The part of processor time that the host gave to other machines: a measurement with much of it says little. */
import { readFileSync } from 'node:fs'

/** Starts counting. The answer is a percentage since the start, or null where the kernel does not report it. */
export function countSteal(): () => number | null {
  const before = readTimes()
  return () => {
    const after = readTimes()
    if (!before || !after || after.all === before.all) return null
    return Math.round(((after.stolen - before.stolen) / (after.all - before.all)) * 1000) / 10
  }
}

/** /proc/stat, first line: user, nice, system, idle, iowait, irq, softirq and steal; guest time is part of user. */
function readTimes() {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number)
    return fields?.length === 8 ? { all: fields.reduce((sum, each) => sum + each, 0), stolen: fields[7] ?? 0 } : null
  } catch {
    return null
  }
}
