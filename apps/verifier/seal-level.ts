/** The name that a seal carries. */
import { shown } from '@countersign/proof/shown.ts'

/** Made safe to show: facts show an approver as `Name (id)`. */
export const nameToCarve = (approver: string | null): string =>
  shown(approver?.replace(/(.) \([^()]*\)$/su, '$1') ?? '')
