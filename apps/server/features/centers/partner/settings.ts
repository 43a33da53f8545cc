/** A partner's own settings: any object, changed by merge patch. */
import { NewCenterDefaults, PartnerSender } from '@countersign/contract/partners.ts'
import { audit } from '../../../audit/audit.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import { bodyAjv, type Issue, issueOf } from '../../../http/validation.ts'
import { mergePatch } from '../../../lib/merge-patch.ts'
import { Problem } from '../../../lib/problem.ts'
import { requireNoGroups, requireSound } from '../../evidence/policies/api.ts'
import { isOffered } from '../subscription/api.ts'
import { lockSettings, storeSettings } from './queries.ts'

const areDefaults = bodyAjv.compile(NewCenterDefaults)
const isSender = bodyAjv.compile(PartnerSender)

function firstFault({ errors }: Pick<typeof areDefaults, 'errors'> = areDefaults): Issue {
  const [first] = errors ?? []
  const { path, message } = first ? issueOf(first) : { path: '', message: "isn't valid" }
  return { path: path === '' ? '' : `.${path}`, message }
}

/** The contract bounds one patch; without this limit repeated patches would exceed it. */
const mostBytes = 65_536
const mostNamed = 500

export async function changeSettings(tx: PartnerTx, patch: Record<string, unknown>): Promise<Record<string, unknown>> {
  const settings = mergePatch(await lockSettings(tx), patch) as Record<string, unknown>
  if ('newCenters' in settings && !areDefaults(settings.newCenters)) {
    const { path, message } = firstFault()
    throw new Problem('VALIDATION_ERROR', `"newCenters${path}" ${message}.`, {
      details: { field: `newCenters${path}` },
    })
  }
  if ('sender' in settings && !isSender(settings.sender)) {
    const { path, message } = firstFault(isSender)
    throw new Problem('VALIDATION_ERROR', `"sender${path}" ${message}.`, { details: { field: `sender${path}` } })
  }
  const { planId } = (patch.newCenters ?? {}) as Partial<NewCenterDefaults>
  if (planId && !(await isOffered(tx, planId))) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"newCenters.planId" isn\'t a plan that is offered. GET /api/provisioning/center-plans lists the plans.',
      { details: { reason: 'planGone', field: 'planId' } },
    )
  }
  for (const policy of (settings.newCenters as NewCenterDefaults | undefined)?.policies ?? []) {
    requireSound({ ...policy, scope: 'center' })
    requireNoGroups({ ...policy, scope: 'center' })
  }
  const text = JSON.stringify(settings)
  if (Buffer.byteLength(text) > mostBytes)
    throw new Problem(
      'VALIDATION_ERROR',
      'The settings would be larger than 64 KiB. Remove some by setting them to null.',
      { details: { reason: 'settingsSize' } },
    )
  const fields = Object.keys(patch)
  if (fields.length === 0) return settings
  await storeSettings(tx, text)
  await audit(tx, {
    type: 'settings.updated',
    action: 'partner',
    target: { type: 'partner', id: tx.partnerId },
    details: { fields: fields.join(' ').slice(0, mostNamed) },
  })
  return settings
}
