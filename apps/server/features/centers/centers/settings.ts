/** Settings by merge patch, and an instructor's own hours. */
import type { setInstructorHours } from '@countersign/contract/centers.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import { changesBetween } from '../../../audit/changes.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Context } from '../../../http/route.ts'
import { isTimezone } from '../../../lib/local-time.ts'
import { mergePatch } from '../../../lib/merge-patch.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings, inheritedOf } from '../../../verticals/defaults.ts'
import type { Settings, WeekHours } from '../../../verticals/vertical.ts'
import { type CenterRow, settingsOf } from './api.ts'
import { activeInstructors, lockOwnCenter, renameCenter, storeHours, storeSettings } from './queries.ts'
import { requireSoundTerms } from './terms.ts'

/** The limit of one patch also limits the stored features; otherwise repeated patches would exceed it. */
const mostFeatures = 64

export async function changeSettings(authenticate: Authenticator, tx: DirectoryTx, patch: object): Promise<Settings> {
  if ('country' in patch || 'region' in patch) {
    throw new Problem(
      'INSUFFICIENT_ROLE',
      "The country and region determine which policies apply, so a center can't change them. Ask the center's partner or the operator.",
      { details: { reason: 'place' } },
    )
  }
  const center = await lockOwnCenter(tx)
  requireOwnBranding(center.settings, patch)
  const stored = mergePatch(center.settings, patch)
  const settings = settingsOf({ ...center, settings: stored })
  if (!isTimezone(settings.timezone))
    throw new Problem('VALIDATION_ERROR', `"${settings.timezone}" isn't a time zone. Send one such as Asia/Seoul.`, {
      details: { reason: 'timezone', field: 'timezone' },
    })
  requireSoundHours(settings.booking.openingHours)
  if ('terms' in patch) requireSoundTerms(settings.terms)
  if (Object.keys(settings.features).length > mostFeatures)
    throw new Problem(
      'VALIDATION_ERROR',
      `A center can have at most ${mostFeatures} "features". Remove some by setting them to null.`,
      { details: { reason: 'maxFeatures', field: 'features' } },
    )
  await storeSettings(tx, stored).catch(
    meaning({
      sandbox_apart: () =>
        new Problem(
          'VALIDATION_ERROR',
          "A sandbox can't have a custom domain. Set it in the center the sandbox belongs to.",
          { details: { reason: 'sandboxDomain', field: 'customDomain' } },
        ),
    }),
  )
  await audit(tx, {
    type: 'settings.updated',
    action: 'center',
    target: { type: 'center', id: String(center.id) },
    details: { fields: fieldsOf(patch).join(' ') },
    changes: changesBetween(
      completeSettings(center.vertical, center.settings),
      completeSettings(center.vertical, stored),
    ),
  })
  tx.afterCommit(() => authenticate.forget(`center:${center.id}`))
  return settings
}

/** With the hours and the length of an appointment apart: the list of a center's first week asks whether hours were saved. */
const fieldsOf = (patch: object): string[] =>
  Object.entries(patch).flatMap(([name, value]) =>
    name === 'booking' ? Object.keys(value as object).map((each) => `booking.${each}`) : [name],
  )

/** A center without a partner has its name from its administrators. What was sealed keeps the name of then. */
export async function changeName(authenticate: Authenticator, tx: DirectoryTx, sent: string): Promise<CenterRow> {
  const center = await lockOwnCenter(tx)
  if (center.partner_id !== null)
    throw new Problem('FORBIDDEN', "The center's partner sets its name. Ask the partner to change it.", {
      details: { reason: 'partnersName' },
    })
  if (isSandboxCenter(center.id))
    throw new Problem('FORBIDDEN', 'A sandbox keeps its name. Rename the center it belongs to.', {
      details: { reason: 'sandboxKeepsName' },
    })
  const name = sent.trim()
  if (name === center.name) return center
  await renameCenter(tx, name)
  await audit(tx, {
    ...{ type: 'center.updated', action: 'rename', target: { type: 'center', id: String(center.id) } },
    changes: [{ field: 'name', old: center.name, new: name }],
  })
  tx.afterCommit(() => authenticate.forget(`center:${center.id}`))
  return { ...center, name }
}

/** In a franchise the branding that the partner gave is the partner's. */
function requireOwnBranding(stored: unknown, patch: { readonly branding?: object }): void {
  const inherited = inheritedOf(stored)
  const fixed = inherited?.isFixed && Object.keys(patch.branding ?? {}).find((name) => name in inherited.branding)
  if (fixed) {
    throw new Problem(
      'FORBIDDEN',
      `"branding.${fixed}" is set by the partner, so the center can't change it. Ask the partner to change it.`,
      { details: { reason: 'partnersBranding' } },
    )
  }
}

export async function changeHours({ tx, body, params, principal }: Context<typeof setInstructorHours.spec>) {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(params.actorId)
  const [instructor] = isUuid ? await activeInstructors(tx, params.actorId) : []
  if (!instructor)
    throw new Problem('NOT_FOUND', 'This center has no instructor with this ID. List its members to find the ID.')
  if (principal.role !== 'ADMIN' && instructor.id !== principal.actorId) {
    throw new Problem(
      'INSUFFICIENT_ROLE',
      'Instructors can only set their own hours. Ask an administrator to set them for others.',
      { details: { reason: 'ownHours' } },
    )
  }
  if (body.hours) requireSoundHours(body.hours)
  const { rows } = await storeHours(tx, instructor.id, body.hours, body.specialties ?? null)
  const specialties = rows[0]?.specialties ?? []
  await audit(tx, {
    type: 'settings.updated',
    action: 'hours',
    target: { type: 'actor', id: instructor.id },
    changes: changesBetween(
      { hours: instructor.hours ?? {}, specialties: instructor.specialties },
      { hours: body.hours ?? {}, specialties },
    ),
  })
  return { id: instructor.id, hours: body.hours, specialties }
}

/** Each interval ends after it begins, and the intervals of a day do not overlap. */
function requireSoundHours(hours: WeekHours): void {
  for (const [day, intervals] of Object.entries(hours)) {
    let last = ''
    for (const { from, to } of [...intervals].sort((a, b) => (a.from < b.from ? -1 : 1))) {
      if (from >= to)
        throw new Problem(
          'VALIDATION_ERROR',
          `On "${day}", "${from}" isn't before "${to}". Send intervals that end after they start.`,
          { details: { reason: 'hoursOrder', field: 'hours' } },
        )
      if (from < last)
        throw new Problem(
          'VALIDATION_ERROR',
          `On "${day}", two intervals overlap at "${from}". Send intervals that don't overlap.`,
          { details: { reason: 'hoursOverlap', field: 'hours' } },
        )
      last = to
    }
  }
}
