/**
 * The JSON-LD context of the export, served at `{schema_url}/decision-proof/v2`. A processor drops members that the
 * context does not define, so it defines every member; a member that may be any JSON, or null, is a JSON literal.
 */
import { mostPrior, priorName } from './control.ts'
import { type Form, memberNames, sealedPaths } from './decision-fields.ts'

const path = '/decision-proof/v2'

export const contextAddress = (schemaUrl: string): string => `${schemaUrl}${path}`

/** The members of a decision that are written in one of these forms. */
const ofDecisions = (...forms: readonly (Form | undefined)[]): readonly string[] =>
  sealedPaths.filter(({ form }) => forms.includes(form)).map(({ field, member }) => member ?? field)

const plain = [
  'version',
  'evidence',
  'verification',
  'id',
  'decisionId',
  'actionDigest',
  'actionSalt',
  'status',
  'evidenceLevel',
  'sealedLevel',
  'event',
  ...Object.keys(memberNames),
  ...ofDecisions(undefined, 'decision'),
  'type',
  'name',
  'approval',
  'approver',
  'result',
  'reason',
  'submittedBy',
  'identity',
  'level',
  'by',
  'channel',
  'onBehalfOf',
  'passkey',
  'binding',
  'historySize',
  'authenticatorData',
  'clientDataJSON',
  'signature',
  'reasonSalt',
  'digest',
  'chain',
  'hash',
  'index',
  'domain',
  'log',
  'content',
  'referenceType',
  'vertical',
  'country',
  'region',
  'hashAlgorithm',
  'preimage',
  'chainDomain',
  'chainIndex',
  'chainHash',
  'anchoring',
  'tlogProof',
  'timestamp',
]
const times = ['exportedAt', ...ofDecisions('time'), 'approvedAt', 'openedAt', 'decidedAt', 'sealedAt']
const ordered = [...ofDecisions('list'), 'policies', 'policyTexts', 'historyProofs', 'bindingProofs']
/** Objects, strings or null. Not for arrays: compaction unwraps an array of one item. */
const anyJson = [
  ...ofDecisions('json'),
  'previousHash',
  'commitments',
  'disclosures',
  'referenceId',
  'createdBy',
  'metadata',
  'responsibility',
  'statement',
  'control',
  ...Array.from({ length: mostPrior }, (_, position) => priorName(position)),
]
const listsOfJson = ['priorApprovals', 'history', 'bindings', 'successions']

export function contextDocument(schemaUrl: string): { readonly '@context': Readonly<Record<string, unknown>> } {
  const vocabulary = `${contextAddress(schemaUrl)}#`
  const terms = (names: readonly string[], more: Record<string, string>) =>
    names.map((name) => [name, { '@id': `${vocabulary}${name}`, ...more }])
  return {
    '@context': {
      '@version': 1.1,
      '@protected': true,
      '@vocab': vocabulary,
      DecisionProof: `${vocabulary}DecisionProof`,
      verifyUrl: { '@id': `${vocabulary}verifyUrl`, '@type': '@id' },
      ...Object.fromEntries([
        ...terms(plain, {}),
        ...terms(times, { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' }),
        ...terms(ordered, { '@container': '@list' }),
        ...terms(anyJson, { '@type': '@json' }),
        ...terms(listsOfJson, { '@type': '@json', '@container': '@set' }),
      ]),
    },
  }
}
