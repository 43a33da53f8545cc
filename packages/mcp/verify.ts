/** The tool that verifies a receipt. */
import { getLogDocument, Receipt } from '@countersign/contract'
import { isOfCenter } from '@countersign/sdk/guard'
import { parseTrust, verifyReceipt } from '@countersign/sdk/receipts'
import { Type } from 'typebox'
import { tool } from './tool.ts'

const Verdict = (description: string) =>
  Type.Object(
    { status: Type.Enum(['yes', 'no', 'unknown']), code: Type.String(), detail: Type.String() },
    { description },
  )

const otherCenter = (log: string, center: number) => ({
  ...{ status: 'no' as const, code: 'other-center' },
  detail: `The log ${log} doesn't belong to center ${center}.`,
})

export const verifyReceiptTool = tool({
  name: 'verify_receipt',
  title: 'Verify a receipt',
  description:
    "Verifies a seal's receipt: that the hash is in a signed log, cosigned by witnesses if the trust policy requires them. A valid receipt doesn't tell you what was hashed or whether it was approved; for that, verify the exported evidence.",
  operations: [getLogDocument],
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: Type.Object(
    {
      receipt: Receipt,
      hash: Type.String({
        pattern: '^(sha256:)?[0-9a-f]{64}$',
        description: 'The `chainHash` from the same response, or the `sealedHash` of an approval',
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    holds: Type.Boolean({ description: 'Whether the receipt is valid under the trust policy that `under` names' }),
    under: Type.Enum(['own', 'server'], {
      description:
        "`own`: the trust policy configured for this program. `server`: the one that the server being checked publishes, so you have only that server's word for it",
    }),
    inChain: Verdict("Whether the hash is in the checkpoint's tree"),
    signed: Verdict('Whether a key in the trust policy signed the checkpoint'),
    witnessed: Verdict('Whether enough witnesses in the trust policy cosigned the checkpoint'),
  }),
  async run({ receipt, hash }, { client, trust, signal }) {
    const policy = trust?.trust ?? parseTrust((await client.logs.get({ signal })).policy)
    const sandbox = trust?.sandbox ?? false
    const { ok, signed: known, inChain, witnessed } = verifyReceipt(receipt, hash, policy, { sandbox })
    const isOther = trust !== null && !isOfCenter(receipt.log, trust.center)
    const signed = isOther ? otherCenter(receipt.log, trust.center) : known
    const holds = ok && !isOther
    const fault = [inChain, signed, witnessed].find(({ status }) => status !== 'yes')
    const whose = trust
      ? "under this program's trust policy"
      : 'under the keys that the server itself publishes, so it proves nothing against that server'
    const verdict = holds
      ? `The receipt is valid ${whose}.`
      : `The receipt isn't valid ${whose}: ${fault?.detail ?? ''}`
    const under = trust ? ('own' as const) : ('server' as const)
    return { text: verdict, value: { holds, under, inChain, signed, witnessed } }
  },
})
