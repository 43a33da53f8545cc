/** What the doctor says of one subject. */

/** `failed`: the server cannot do its work. `warning`: it can, with a risk that the operator should know. */
export type FindingStatus = 'ok' | 'warning' | 'failed' | 'skipped'

export interface Finding {
  /** settings, database, durability and so on. */
  readonly check: string
  /** The database, file or host that it is about. */
  readonly about?: string
  readonly status: FindingStatus
  readonly found: string
  /** What to do. Present where the status is `warning` or `failed`. */
  readonly remedy?: string
}

type Said = Omit<Finding, 'check' | 'about'>

export const ok = (found: string): Said => ({ status: 'ok', found })
export const skipped = (found: string): Said => ({ status: 'skipped', found })
export const warning = (found: string, remedy: string): Said => ({ status: 'warning', found, remedy })
export const failed = (found: string, remedy: string): Said => ({ status: 'failed', found, remedy })

const mostMs = 8000

/** One check. An exception or a check that takes too long is a failure, and the other checks go on. */
export async function look(
  check: string,
  about: string | undefined,
  remedy: string,
  work: () => Promise<Said> | Said,
): Promise<Finding> {
  const subject = { check, ...(about !== undefined && { about }) }
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<Said>((resolve) => {
    timer = setTimeout(() => resolve(failed(`There was no response within ${mostMs / 1000} seconds.`, remedy)), mostMs)
  })
  try {
    return { ...subject, ...(await Promise.race([Promise.resolve().then(work), tooLong])) }
  } catch (error) {
    return { ...subject, ...failed((error as Error).message, remedy) }
  } finally {
    clearTimeout(timer)
  }
}
