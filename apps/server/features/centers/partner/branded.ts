/** The name and the color of the center whose custom domain a page is on; the service's own host has none. */
import type { Config } from '../../../config/config.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import * as queries from './queries.ts'

interface Needs {
  readonly config: Config
  readonly directory: Directory
}

const anyone: Caller = { requestId: '', actorId: null, centerId: 0 }

export interface SiteBrand {
  readonly name: string
  readonly primaryColor: string
}

export async function brandOfSite({ config, directory }: Needs, host: string): Promise<SiteBrand | null> {
  // A name without a dot is no custom domain: it would find a center by its subdomain.
  if (!host.includes('.') || host === new URL(config.publicUrl).hostname) return null
  const row = await directory.identity(anyone, (tx) => queries.findBranded(tx, host.toLowerCase()), 'read')
  if (!row) return null
  return { name: row.name, primaryColor: completeSettings(row.vertical, row.settings).branding.primaryColor }
}
