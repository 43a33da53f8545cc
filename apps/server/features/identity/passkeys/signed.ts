/**
 * Statements that passkeys sign, in a batch: kept as a challenge, and what the batch of the seal requires of a signed one.
 * The challenge is there, for this member and in time, the policies are the same, and the key counts in this center. The
 * signature itself is verified before that batch opens. Pure.
 */

import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { type ChainContent, entryHash } from '@countersign/proof/chain.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import { challengeOf, type PasskeyAssertion, type PasskeyKey } from '@countersign/proof/passkey.ts'
import type { SignedByPasskey } from '@countersign/proof/proof-entry.ts'
import { type Applied, named } from '../../../governance/policies.ts'
import type { ChallengeRow } from '../../../governance/rows.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'
import { base64url, challengeGone, challengeSeconds } from './webauthn.ts'

/** Passkeys in a batch, those that items name by id, and the challenges that they may sign. */
export type Confirmed = 'mail' | 'passkey' | 'admin' | 'partner' | 'operator'

export interface PasskeyRow {
  readonly center_id: number
  readonly id: string
  readonly actor_id: string
  readonly key: PasskeyKey
  readonly thumbprint: string
  readonly backup_eligible: boolean
  readonly confirmed: Confirmed
  readonly counts: boolean
  readonly removed: boolean
  readonly bound_at: string
  /** The hash of the newest entry about it. */
  readonly last_entry: string
  /** The entry that bound it, where the item asks for it by `target`. */
  readonly bound?: BoundEntry | null
}

export interface BoundEntry {
  readonly content: string
  readonly hash: string
  readonly previous_hash: string | null
  readonly sealed_at: string
  readonly disclosed: { readonly key?: PasskeyKey } | null
  readonly salts: { readonly key?: string } | null
}

export const passkeyRows: RowKind<PasskeyRow, { readonly id: string; readonly target?: string }> = {
  name: 'passkeys',
  order: 45,
  load: 'load_passkeys',
  write: 'write_passkeys',
  namesOf: ({ id }) => [id],
}

/** A challenge that is updated is spent: the write deletes it. */
export const challengeRows: RowKind<ChallengeRow, { readonly challenge: string }> = {
  name: 'challenges',
  order: 27,
  load: 'hold_challenges',
  write: 'write_challenges',
  namesOf: ({ challenge }) => [challenge],
}

type Statement = ChallengeRow['statement']

/** An assertion whose signature was verified against this statement. */
export interface Signed<S extends Statement> {
  readonly challenge: string
  readonly statement: S
  readonly passkeyId: string
  /** The key that verified it, as the directory has it. */
  readonly key: PasskeyKey
  readonly assertion: PasskeyAssertion
}

type Kept<S extends Statement> = ChallengeRow & { readonly statement: S }

/** Keeps a statement for its member to sign, once. `hasKey`: whether a passkey of theirs counts in this center. */
export function keepChallenge<S extends Statement>(
  batch: Batch,
  hasKey: boolean,
  offered: Omit<Kept<S>, 'challenge' | 'expires_at'>,
): Kept<S> {
  if (!hasKey) {
    throw new Problem(
      'CONFLICT',
      'You have no confirmed passkey in this center. Register one, and ask an administrator to confirm it.',
      { details: { reason: 'noPasskeyHere' } },
    )
  }
  const row = {
    ...offered,
    challenge: base64url(challengeOf(offered.statement)),
    expires_at: new Date(Date.parse(batch.at) + challengeSeconds * 1000).toISOString(),
  } as Kept<S>
  batch.rows(challengeRows).insert(row)
  return row
}

/** The keys of earlier approvals, which may have been removed since. */
export const needsOfKeys = (ids: readonly string[]): readonly Need[] => ids.map((id) => need(passkeyRows, { id }))

export const needsOfSigned = ({ challenge, passkeyId }: Signed<Statement>): readonly Need[] => [
  need(challengeRows, { challenge }),
  need(passkeyRows, { id: passkeyId, target: typedId('passkey', passkeyId) }),
]

/**
 * For a request whose challenge is gone. The batch looks for the answer of an earlier request with the same
 * Idempotency-Key first: a caller who lost the answer to a signed request gets it, and every other one is refused.
 */
export const withoutChallenge = {
  holds: { chains: [], rows: [] },
  judge: (): never => {
    throw challengeGone()
  },
}

/** The challenge that the seal uses up. */
export function requireChallenge(
  batch: Batch,
  { challenge, statement }: Signed<Statement>,
  isAbout: (row: ChallengeRow) => boolean,
): ChallengeRow {
  const row = batch.rows(challengeRows).find(challenge)
  const isOwn = row !== undefined && isAbout(row) && row.actor_id === statement.approverId
  if (!isOwn || Date.parse(row.expires_at) <= Date.parse(batch.at)) throw challengeGone()
  return row
}

type Judged = Extract<Statement, { policies: unknown }>

export function requirePolicies({ policies: signed }: Judged, policies: readonly Applied[]): void {
  const nameOf = ({ id, version, digest }: Judged['policies'][number]) => `${id} ${version} ${digest}`
  const present = named(policies)
  const names = new Set(present.map(nameOf))
  if (signed.length === present.length && signed.every((policy) => names.has(nameOf(policy)))) return
  throw new Problem(
    'CONFLICT',
    'The policies for this decision have changed since you signed. Review the decision and sign again.',
    { details: { reason: 'policyChanged' } },
  )
}

/** How long a binding takes to reach a center at most, in the usual case. */
const bindingSeconds = 2

/** What is sealed of the signature. */
export function requireKey(
  batch: Batch,
  { statement, passkeyId, key: verified, assertion }: Signed<Statement>,
): SignedByPasskey {
  const key = batch.rows(passkeyRows).find(passkeyId)
  if (!key) {
    throw new Problem(
      'CONFLICT',
      "This passkey is new, and this center hasn't recorded it yet. Try again in a moment.",
      { details: { reason: 'passkeyNew' }, retryAfter: bindingSeconds, passing: true },
    )
  }
  if (key.removed || key.actor_id !== statement.approverId) {
    throw new Problem('CONFLICT', 'This passkey was removed. Sign with another one.', {
      details: { reason: 'passkeyRemoved' },
    })
  }
  if (!key.counts) {
    throw new Problem(
      'CONFLICT',
      'This passkey has only been confirmed by email. Ask an administrator of this center to confirm it, then sign again.',
      { details: { reason: 'passkeyByEmail' } },
    )
  }
  if (!isBound(key, verified)) {
    throw new Problem(
      'CHAIN_BROKEN',
      "This passkey's key isn't the one recorded for you in this center, so nothing was sealed. Contact the operator.",
    )
  }
  const { authenticatorData, clientDataJSON, signature } = assertion
  return {
    binding: key.last_entry,
    historySize: batch.size('history'),
    authenticatorData,
    clientDataJSON,
    signature,
  }
}

/**
 * Whether the key that verified the signature is the one that the history of the center has bound. The key of the directory could
 * have been exchanged in the database; whoever does that has no signature of the bound one.
 */
function isBound({ bound }: PasskeyRow, verified: PasskeyKey): boolean {
  const [key, salt] = [bound?.disclosed?.key, bound?.salts?.key]
  if (!bound || !key || !salt || entryHash(bound.content, bound.previous_hash, bound.sealed_at) !== bound.hash)
    return false
  const { commitments } = JSON.parse(bound.content) as ChainContent
  return (
    commitment(salt, 'key', key as unknown as Json) === commitments.key &&
    canonical(key as unknown as Json) === canonical(verified as unknown as Json)
  )
}
