/** Whether one entry holds by itself and follows the previous one, which can be checked without the whole chain. */
import { entryHash, logName } from '@countersign/proof/chain.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { entryOf } from '../../../integrity/scan.ts'
import type { SealedStanding } from './queries.ts'

export interface LinkCheck {
  readonly valid: boolean
  readonly hash: boolean
  readonly link: boolean
  readonly place: boolean
  readonly tree: boolean | null
  readonly chain: boolean
  readonly message: string
}

const holds = 'The stored entry still matches its hash and continues the previous entry.'

export function checkLink(
  standing: SealedStanding,
  uuid: string,
  log: { readonly host: string; readonly centerId: number },
  { tree, record }: { readonly tree: boolean | null; readonly record: string | null },
): LinkCheck {
  const { domain, index, entry, predecessor, broken_at } = standing
  const hash = entry !== null && entryHash(entry.content, entry.previous_hash, entry.sealed_at) === entry.hash
  const link = entry !== null && entry.previous_hash === (index === 0 ? null : predecessor?.hash)
  const fault = faultOf(standing, uuid, logName(log.host, log.centerId, domain))
  const place = entry !== null && (fault === null || !hash || !link)
  const chain = broken_at === null || broken_at > index
  const reason =
    fault ??
    (tree === false ? "it isn't the entry that was signed" : null) ??
    (chain ? null : 'its chain was found to be broken at or before this entry') ??
    record
  return {
    valid: reason === null,
    ...{ hash, link, place, tree, chain },
    message: reason === null ? holds : `This record can't be verified: ${reason}.`,
  }
}

function faultOf({ domain, index, entry, predecessor }: SealedStanding, uuid: string, log: string): string | null {
  if (!entry) return "the record's entry is missing"
  if (entry.id !== uuid) return "another record's entry is in its place"
  if (index > 0 && !predecessor) return 'the previous entry is missing'
  const after = predecessor && {
    ...{ chainLength: index, genesisHash: '' },
    ...{ headHash: predecessor.hash, sealedAt: predecessor.sealed_at },
  }
  const verifier = chainVerifier({ log, domain, anyGeneration: true, ...(after && { after }) })
  verifier.add(entryOf(domain, entry))
  return verifier.result().reason
}
