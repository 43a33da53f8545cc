/** The tool that verifies a receipt. */
import { getLogDocument, Receipt } from '@countersign/contract'
import { isOfCenter } from '@countersign/sdk/guard'
import { parsePolicy, verifyReceipt } from '@countersign/sdk/receipts'
import { Type } from 'typebox'
import { tool } from './tool.ts'

const Verdict = (description: string) =>
  Type.Object(
    { status: Type.Enum(['yes', 'no', 'unknown']), code: Type.String(), detail: Type.String() },
    { description },
  )

const otherCenter = (log: string, center: number) => ({
  ...{ status: 'no' as const, code: 'other-center' },
  detail: `The log ${log} is not one of the center ${center}.`,
})

export const verifyReceiptTool = tool({
  name: 'verify_receipt',
  title: 'Verify a receipt',
  description:
    'Verifies the receipt of a seal: that the hash is in a log that is signed, and cosigned by witnesses where the trust policy asks for them. It says nothing about what was hashed, and shows no approval: for that, verify the export of the evidence.',
  operations: [getLogDocument],
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: Type.Object(
    {
      receipt: Receipt,
      hash: Type.String({
        pattern: '^(sha256:)?[0-9a-f]{64}$',
        description: '`chainHash` of the same answer, or `sealedHash` of an approval',
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    holds: Type.Boolean({ description: 'Under the policy that `under` names' }),
    under: Type.Enum(['own', 'server'], {
      description:
        '`own`: the trust policy that was configured for this program. `server`: the one that the checked server publishes, so the result is only its own word',
    }),
    inChain: Verdict('Whether the hash is in the tree of the checkpoint'),
    signed: Verdict('Whether a key of the policy signed the checkpoint'),
    witnessed: Verdict('Whether enough witnesses of the policy cosigned it'),
  }),
  async run({ receipt, hash }, { client, trust, signal }) {
    const policy = trust?.policy ?? parsePolicy((await client.logs.get({ signal })).policy)
    const sandbox = trust?.sandbox ?? false
    const { ok, signed: known, inChain, witnessed } = verifyReceipt(receipt, hash, policy, { sandbox })
    const isOther = trust !== null && !isOfCenter(receipt.log, trust.center)
    const signed = isOther ? otherCenter(receipt.log, trust.center) : known
    const holds = ok && !isOther
    const fault = [inChain, signed, witnessed].find(({ status }) => status !== 'yes')
    const whose = trust
      ? 'under the trust policy of this program'
      : 'under the keys that the server itself publishes, which proves nothing against that server'
    const verdict = holds ? `The receipt holds ${whose}.` : `The receipt does not hold ${whose}: ${fault?.detail ?? ''}`
    const under = trust ? ('own' as const) : ('server' as const)
    return { text: verdict, value: { holds, under, inChain, signed, witnessed } }
  },
})
