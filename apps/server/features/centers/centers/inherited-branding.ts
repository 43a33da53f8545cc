import { audit } from '../../../audit/audit.ts'
import { changesBetween } from '../../../audit/changes.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { mergePatch } from '../../../lib/merge-patch.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings, defaultSettings, inheritedOf } from '../../../verticals/defaults.ts'
import type { CenterRow } from './queries.ts'
import { lockOwnCenter, storeSettings } from './queries.ts'

type Branding = Readonly<Record<string, unknown>>

/** What the center set itself is the center's: it differs from the default and from what the partner gave. */
export function setByCenter({ vertical, settings }: Pick<CenterRow, 'vertical' | 'settings'>): string[] {
  const own: Branding = completeSettings(vertical, settings).branding
  const first: Branding = defaultSettings(vertical).branding
  const given: Branding = inheritedOf(settings)?.branding ?? {}
  return Object.keys(own).filter((name) => own[name] !== first[name] && own[name] !== given[name])
}

/** By the partner: branding of an existing center, which is inherited from then on. In a franchise the center keeps it. */
export async function changeInheritedBranding(
  tx: DirectoryTx,
  branding: Readonly<Record<string, string | null>>,
  isFixed: boolean,
): Promise<void> {
  const center = await lockOwnCenter(tx)
  const own = setByCenter(center)
  const foreign = Object.keys(branding).find((name) => own.includes(name))
  if (foreign !== undefined) {
    throw new Problem(
      'FORBIDDEN',
      `"branding.${foreign}" was set by the center, so the partner can't change it. Ask an administrator of the center to change it.`,
      { details: { reason: 'centersBranding' } },
    )
  }
  const stored = mergePatch(center.settings, { branding, inherited: { branding, isFixed } })
  await storeSettings(tx, stored)
  await audit(tx, {
    type: 'settings.updated',
    action: 'center',
    target: { type: 'center', id: String(center.id) },
    details: { fields: 'branding' },
    changes: changesBetween(
      completeSettings(center.vertical, center.settings),
      completeSettings(center.vertical, stored),
    ),
  })
}
