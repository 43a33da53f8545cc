/** Recognizes the database's refusal of an entry because of the stored entry before it. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import { Problem } from '../lib/problem.ts'

export interface BrokenLink {
  readonly domain: Domain
  readonly at: number
  readonly reason: string
}

/**
 * The trigger `cell.check_links` compares a new entry with the stored one before it. The new entry follows a head that is
 * locked and signed, so a refusal means that the stored entry was altered or deleted.
 */
export function brokenLink(error: unknown): BrokenLink | null {
  const cause = error instanceof Problem ? error.cause : error
  const { constraint, message = '' } = (cause ?? {}) as { constraint?: string; message?: string }
  if (constraint !== 'chain_entries_links') return null
  const [, index, name] = /^entry (\d+) of chain \d+\/(\w+) /.exec(message) ?? []
  const domain = domains.find((each) => each === name)
  return domain ? { domain, at: Number(index) - 1, reason: 'its last entry is not the one that was sealed' } : null
}
