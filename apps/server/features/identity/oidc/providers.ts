/** The providers of a center or a partner: add, list, change, remove. The caller's transaction says whose. */

import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { BodyOf, SpecOf } from '@countersign/contract/operation.ts'
import type { addSignInProvider, changeSignInProvider } from '@countersign/contract/sign-in-providers.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { DirectoryTx, IdentityTx } from '../../../data/directory.ts'
import type { AddressGuard } from '../../../lib/address-guard.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { KnownProvider } from './client.ts'
import * as queries from './provider-queries.ts'

export interface ProviderNeeds {
  readonly addressGuard: AddressGuard
  readonly box: SecretBox
  readonly config: Pick<Config, 'authUrl'>
}

const mostProviders = 5

/** Binds the encrypted secret to its row. */
const secretContext = (id: string): string => `oidc provider ${id}`

/** One address for each provider: an answer of one provider cannot pass for that of another. */
export const redirectUri = ({ authUrl }: Pick<Config, 'authUrl'>, id: string): string =>
  `${new URL(authUrl).origin}/signin/callback/${typedId('signInProvider', id)}`

export const shownProvider = ({ config }: ProviderNeeds, row: queries.ProviderRow) => ({
  id: typedId('signInProvider', row.id),
  name: row.name,
  issuer: row.issuer,
  clientId: row.client_id,
  redirectUri: redirectUri(config, row.id),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const knownProvider = ({ box, config }: ProviderNeeds, row: queries.ProviderRow): KnownProvider => ({
  id: row.id,
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: box.open(row.sealed, secretContext(row.id)).toString(),
  redirectUri: redirectUri(config, row.id),
  version: row.updated_at.toISOString(),
})

const unknownProvider = () =>
  new Problem('NOT_FOUND', 'You have no sign-in provider with this ID. List your providers to find the ID.')

/** An entry about a partner names the partner, who reads it by that. */
const change = (
  action: AuditAction<'settings.updated'>,
  { id, partner_id, name }: Pick<queries.ProviderRow, 'id' | 'partner_id' | 'name'>,
) => {
  const providerId = typedId('signInProvider', id)
  const target =
    partner_id === null ? { type: 'sign_in_provider', id: providerId } : { type: 'partner', id: partner_id }
  return { type: 'settings.updated', action, target, details: { providerId, name } } as const
}

function requireIssuer(guard: AddressGuard, issuer: string): void {
  const refusal = guard.refusalOfUrl(issuer)
  if (refusal !== null)
    throw new Problem('VALIDATION_ERROR', `"issuer": ${refusal}`, { details: { reason: 'address', field: 'issuer' } })
  if (issuer.includes('?') || issuer.includes('/.well-known/')) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"issuer" has a query, or is a document\'s address. Send the issuer\'s own address.',
      { details: { reason: 'issuer', field: 'issuer' } },
    )
  }
}

export async function addProvider(
  tx: DirectoryTx,
  { addressGuard, box }: ProviderNeeds,
  { name, issuer, clientId, clientSecret }: BodyOf<SpecOf<typeof addSignInProvider>>,
): Promise<queries.ProviderRow> {
  requireIssuer(addressGuard, issuer)
  if ((await queries.countProviders(tx)) >= mostProviders) {
    throw new Problem('CONFLICT', `There can be at most ${mostProviders} sign-in providers. Remove one first.`, {
      details: { reason: 'maxProviders' },
    })
  }
  const id = newUuid()
  const sealed = box.seal(clientSecret, secretContext(id))
  const row = await queries.insertProvider(tx, { id, name: name.trim(), issuer, client_id: clientId, sealed })
  if (!row)
    throw new Problem('CONFLICT', 'This issuer and client have already been added. Change or remove that provider.', {
      details: { reason: 'providerAdded' },
    })
  await audit(tx, change('provider.added', row))
  return row
}

export async function changeProvider(
  tx: DirectoryTx,
  { box }: ProviderNeeds,
  id: string,
  { name, clientSecret }: BodyOf<SpecOf<typeof changeSignInProvider>>,
): Promise<queries.ProviderRow> {
  const uuid = uuidOf('signInProvider', id)
  if (uuid === null) throw unknownProvider()
  const row = await queries.updateProvider(tx, uuid, {
    ...(name !== undefined && { name: name.trim() }),
    ...(clientSecret !== undefined && { sealed: box.seal(clientSecret, secretContext(uuid)) }),
  })
  if (!row) throw unknownProvider()
  await audit(tx, change('provider.changed', row))
  return row
}

export async function ownProvider(tx: DirectoryTx, id: string): Promise<queries.ProviderRow> {
  const uuid = uuidOf('signInProvider', id)
  const row = (await queries.listProviders(tx)).find((each) => each.id === uuid)
  if (!row) throw unknownProvider()
  return row
}

export async function removeProvider(tx: DirectoryTx, id: string): Promise<string> {
  const uuid = uuidOf('signInProvider', id)
  const removed = uuid === null ? undefined : await queries.deleteProvider(tx, uuid)
  if (uuid === null || !removed) throw unknownProvider()
  await audit(tx, change('provider.removed', removed))
  return uuid
}

/** Secrets sealed with an older key are sealed again with the current one. */
export async function sealSecretsAgain(tx: IdentityTx, box: SecretBox): Promise<boolean> {
  const found = await queries.sealedOtherwise(tx, box.keyId)
  for (const { id, sealed } of found) {
    const context = secretContext(id)
    await queries.sealAgain(tx, id, box.seal(box.open(sealed, context), context))
  }
  return found.length > 0
}
