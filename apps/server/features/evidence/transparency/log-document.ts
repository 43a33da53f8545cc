/** The public keys of the logs of this host, and the witnesses that it asks. */
import type { PayloadOf } from '@countersign/contract/operation.ts'
import type { getLogDocument } from '@countersign/contract/transparency.ts'
import { domains } from '@countersign/proof/chain.ts'
import type { TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { endorsementText } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'

export const logDocument = (
  logHost: string,
  { keys }: Pick<LogBook, 'keys'>,
  { policy, policyText }: { readonly policy: TrustPolicy; readonly policyText: string },
): PayloadOf<(typeof getLogDocument)['spec'], 200> => ({
  logHost,
  originTemplate: `${logHost}/c/{centerId}/{domain}`,
  sandboxOriginTemplate: `${logHost}/sandbox/{centerId}/{domain}`,
  domains: [...domains],
  keys: keys.all.map(({ vkey, from, until, endorsement, stolenAt }) => ({
    vkey,
    from,
    until,
    stolenAt,
    endorsement,
    endorsedText: endorsementText(vkey, from),
  })),
  witnesses: policy.witnesses.map(({ name, key, url }) => ({ name, vkey: key.vkey, url })),
  quorum: policy.quorum,
  policy: policyText,
})
