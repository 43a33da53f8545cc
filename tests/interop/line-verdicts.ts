/** Lines by chance, and forged ones, judged by both verifiers: one Python process for all of them. */
import type { EmergencyFacts } from '@countersign/proof/decision-facts.ts'
import { parseExactly } from '@countersign/proof/parse.ts'
import { type LineCase, sealedLine } from '@countersign/proof/test/lines.ts'
import { anchored, passkeyPolicyText } from '@countersign/proof/test/log.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { forgeries, linesBy } from './line-files.ts'
import { askPython } from './python.ts'

const trusted = parsePolicy(passkeyPolicyText)

/** Without what a passkey signed, which is compared elsewhere. */
const saidOf = ({ confirmations, ...emergency }: EmergencyFacts) => ({
  ...emergency,
  confirmations: confirmations.map(({ passkey: _, ...each }) => each),
})

/** Without a policy: signatures of logs are not what is compared here. */
async function differences(texts: readonly string[], names: readonly string[]): Promise<string[]> {
  const python = await askPython(texts, '--no-trust')
  return texts.flatMap((text, at) => {
    const { standing, facts } = verifyProof(parseExactly(text), null)
    const { line = null, emergency = null } = facts.decision ?? {}
    const ours = JSON.stringify([standing, ...(standing === 'altered' ? [] : [line, emergency && saidOf(emergency)])])
    const { problems, ...theirs } = python[at] as (typeof python)[number]
    const isAltered = theirs.standing === 'altered'
    const other = JSON.stringify([
      theirs.standing,
      ...(isAltered ? [] : [theirs.line, theirs.emergency && saidOf(theirs.emergency as EmergencyFacts)]),
    ])
    return ours === other ? [] : [`${names[at]}: ${ours} here, ${other} in Python ${problems.join('; ')}`]
  })
}

export async function compareLines(seed: number, count: number) {
  const lines = [...linesBy(seededRandom(seed), count)]
  const documents = lines.map((line) => sealedLine(line))
  const judged = documents.map((made, at) => {
    // Signing takes longer than all the rest: every tenth is in a log.
    const vouched = at % 10 === 0
    const { standing, facts, problems } = verifyProof(vouched ? anchored(made) : made, vouched ? trusted : null)
    const { status, why } = facts.decision?.line ?? {}
    const isFit = vouched ? standing === 'holds' && status === 'fits' : standing === 'unvouched' && why === 'unvouched'
    return isFit
      ? null
      : `line ${at}: ${standing} ${status} ${why} ${problems.map(({ path, code }) => `${path} ${code}`)}`
  })
  const texts = documents.map((each) => JSON.stringify(each))
  const differing = [
    ...judged.filter((each) => each !== null),
    ...(await differences(
      texts,
      texts.map((_, at) => `line ${at}`),
    )),
  ]
  return {
    fits: judged.filter((each) => each === null).length,
    differing,
    places: lines.reduce(
      (sum, { given }) => sum + given.reduce((all, { places }) => all + (places?.length ?? 0), 0),
      0,
    ),
  }
}

/** A short policy without any place is a record as they were before approval lines: it says so, and nothing fits. */
const isUnstated = ({ policies, given }: LineCase): boolean =>
  given.every(({ places = [] }) => places.length === 0) &&
  policies.every(({ body }) => !JSON.stringify(body).includes('"steps"'))

/** Every kind in turn. `held`: those that hold, although they are false, or that are believed to fit. */
export async function compareForgeries(seed: number, count: number) {
  const random = seededRandom(seed)
  const endless = linesBy(random, Number.POSITIVE_INFINITY)
  const kinds = Object.fromEntries(Object.keys(forgeries).map((kind) => [kind, 0]))
  const names: string[] = []
  const texts: string[] = []
  const held: string[] = []
  while (texts.length < count) {
    const [kind, forge] = Object.entries(forgeries)[texts.length % Object.keys(forgeries).length] as [
      string,
      (typeof forgeries)[string],
    ]
    const forged = forge(endless.next().value as LineCase, random)
    if (forged === null || isUnstated(forged.line)) continue
    const vouched = texts.length % 5 === 0
    const sealed = sealedLine(forged.line, forged.texts)
    const made = vouched ? anchored(sealed) : sealed
    const { standing } = verifyProof(made, vouched ? trusted : null)
    if (standing !== 'altered') held.push(`${kind}: ${standing} ${JSON.stringify(forged.line)}`)
    kinds[kind] = (kinds[kind] ?? 0) + 1
    names.push(kind)
    texts.push(JSON.stringify(made))
  }
  return { files: texts.length, held, differing: await differences(texts, names), kinds }
}
