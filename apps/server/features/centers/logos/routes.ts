import { hash } from 'node:crypto'
import * as contract from '@countersign/contract/logos.ts'
import type { MemberPrincipal, PartnerPrincipal } from '../../../access/principal.ts'
import { audit } from '../../../audit/audit.ts'
import { turns } from '../../../concurrency/turns.ts'
import { type Directory, type DirectoryTx, ownerOf } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { NotPng, onlyPixels } from '../../../lib/png.ts'
import { Problem } from '../../../lib/problem.ts'
import { dropOldLogos, storeLogo } from './queries.ts'

interface LogoNeeds {
  readonly directory: Directory
}

/** Of an owner, besides those in use. */
const maxKept = 20
/** Pictures that are written again at a time, in this process: each takes up to 4 MB. */
const maxAtOnce = 2

/** The file that is sent, and the one that is written from it. */
function requireSize({ length }: Buffer): void {
  if (length > contract.maxLogoBytes)
    throw new Problem(
      'VALIDATION_ERROR',
      'The logo is larger than 200 KB. Send a smaller picture, or one with fewer colors.',
      { details: { reason: 'logoSize' } },
    )
}

async function rewritten(sent: string): Promise<Buffer> {
  const file = Buffer.from(sent, 'base64')
  requireSize(file)
  const png = await onlyPixels(file, contract.maxLogoSide).catch((error: unknown) => {
    if (!(error instanceof NotPng)) throw error
    const { message: fault } = error
    throw new Problem('VALIDATION_ERROR', `The logo ${fault}. Send a PNG of at most 512 × 512 pixels.`, {
      details: { reason: 'logoFile' },
    })
  })
  requireSize(png)
  return png
}

export const logoRoutes = ({ directory }: LogoNeeds): Route[] => {
  const writing = turns({ total: maxAtOnce, perKey: 1 })
  return [
    // The picture is written again before there is a transaction: compressing takes a tenth of a second.
    route(contract.addLogo, async ({ body, params, principal, requestId }, reply) => {
      const entered = params && 'center' in params ? (principal as MemberPrincipal).entered.centerId : null
      const owner = entered === null ? (principal as PartnerPrincipal).partner.id : String(entered)
      const release = await writing.take(owner)
      const png = await rewritten(body.png).finally(release)
      const digest = hash('sha256', png, 'buffer')
      const logo = `${contract.logoPath}${digest.toString('hex')}.png`
      const store = async (tx: DirectoryTx) => {
        await storeLogo(tx, digest, png)
        await dropOldLogos(tx, maxKept, contract.logoPath)
        const { partner_id } = ownerOf(tx)
        await audit(tx, {
          ...{ type: 'settings.updated', action: 'logo' },
          target:
            partner_id === null ? { type: 'center', id: String(tx.caller.centerId) } : { type: 'partner', id: owner },
          details: { logo },
        })
      }
      const caller = { requestId, actorId: principal.actorId, centerId: entered ?? 0 }
      if (entered === null) await directory.asPartner(caller, owner, store)
      else await directory.asCenter(caller, store)
      return reply(201, { logo })
    }),
  ]
}
