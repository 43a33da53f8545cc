import { audit } from '../../../audit/audit.ts'
import { changesBetween } from '../../../audit/changes.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { mergePatch } from '../../../lib/merge-patch.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings, inheritedOf } from '../../../verticals/defaults.ts'
import { lockOwnCenter, storeSettings } from './queries.ts'

/** By the partner of a franchise: the branding that the center has inherited, which stays inherited. */
export async function changeInheritedBranding(
  tx: DirectoryTx,
  branding: Readonly<Record<string, string>>,
): Promise<void> {
  const center = await lockOwnCenter(tx)
  const inherited = inheritedOf(center.settings)
  const foreign = Object.keys(branding).find((name) => !inherited?.isFixed || !(name in inherited.branding))
  if (foreign !== undefined) {
    throw new Problem(
      'FORBIDDEN',
      `"branding.${foreign}" was set by the center, so the partner can't change it. Ask an administrator of the center to change it.`,
    )
  }
  const stored = mergePatch(center.settings, { branding, inherited: { branding } })
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
