/** An action type as versioned, digested and answered. */

import { hash } from 'node:crypto'
import type { putActionType } from '@countersign/contract/action-types.ts'
import type { BodyOf, PayloadOf } from '@countersign/contract/operation.ts'
import { type ActionTemplate, sentenceFault, templateText, textFault } from '@countersign/proof/action-template.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { actionTypeState, historyStatic } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { isOwn } from '../../../governance/policies.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type ActionTypeVersion, actionTypeRows } from './sealed-rows.ts'

export type ActionType = PayloadOf<(typeof putActionType)['spec'], 200>

export const unknownActionType = (): Problem =>
  new Problem('NOT_FOUND', 'This center has no template for this action type. List its action types to find the name.')

export const digestOf = (text: string): string => `sha256:${hash('sha256', text)}`

export type VersionRow = Pick<ActionTypeVersion, 'version' | 'template' | 'digest'> & {
  readonly created_at: Date | string
}

export function actionTypeOf({ version, digest, template, created_at }: VersionRow): ActionType {
  const { type, name, sentence, labels } = JSON.parse(template) as ActionTemplate
  return {
    ...answered({ type, name, sentence, labels }),
    version,
    digest,
    createdAt: new Date(created_at).toISOString(),
  }
}

type Answered = Pick<ActionType, 'type' | 'name' | 'sentence' | 'labels'>
/** A template has the form of the answer; only what may be written differs in the types. */
export const answered = (template: ActionTemplate): Answered => template as Answered

const invalid = (reason: string, message: string) => new Problem('VALIDATION_ERROR', message, { details: { reason } })

const inWords = {
  blank: 'is blank. Enter text or leave it out.',
  hidden: 'has a control, invisible or text-direction character. Use one line of visible characters.',
  braces:
    "has a brace that isn't part of a placeholder. Write a placeholder as a JSON Pointer in braces: {/payment/won}.",
} as const

/** One answer lists all types, so each is bounded as a whole too. */
const maxKib = 16
const maxKeyLength = 200

/** What a request says, sound and with all members. */
export function templateOf(type: string, body: BodyOf<(typeof putActionType)['spec']>): ActionTemplate {
  const { name, sentence = null, labels = {} } = body
  const refuse = (what: string, fault: keyof typeof inWords | null) => {
    if (fault !== null) throw invalid(fault, `${what} ${inWords[fault]}`)
  }
  refuse('The action type', textFault(type))
  const key = comparableId(type)
  if (key === '' || key.length > maxKeyLength)
    throw invalid(
      'typeLength',
      `An action type must have 1 to ${maxKeyLength} visible characters. Choose another name.`,
    )
  if (isOwn(type))
    throw invalid('reservedType', 'Action types that start with "countersign." are reserved. Choose another name.')
  for (const [language, text] of Object.entries(name)) refuse(`name.${language}`, textFault(text))
  for (const [language, text] of Object.entries(sentence ?? {})) refuse(`sentence.${language}`, sentenceFault(text))
  for (const [pointer, label] of Object.entries(labels)) {
    refuse('A pointer in "labels"', textFault(pointer))
    for (const [language, text] of Object.entries(label)) refuse(`labels.${pointer}.${language}`, textFault(text))
  }
  const template = { type, name, sentence, labels }
  if (Buffer.byteLength(templateText(template)) > maxKib * 1024) {
    throw invalid(
      'typeSize',
      `An action type's text can be at most ${maxKib} KiB in total. Shorten or remove some labels.`,
    )
  }
  return template
}

/** Types that were withdrawn count too: their versions stay. */
const maxTypes = 300

export function requireRoomForTypes(batch: Batch, created: number): void {
  if (created === 0 || batch.rows(actionTypeRows).all().length + created <= maxTypes) return
  throw new Problem(
    'CONFLICT',
    `This center already has ${maxTypes} action types, the maximum, counting deleted ones. Change one of them instead.`,
    { details: { reason: 'maxTypes' } },
  )
}

interface Versioning {
  readonly center: CenterProfile
  readonly caller: Caller
}

/** Null withdraws the type. */
export function addVersion(
  batch: Batch,
  { center: { centerId }, caller }: Versioning,
  key: string,
  template: ActionTemplate | null,
): ActionTypeVersion {
  const rows = batch.rows(actionTypeRows)
  const before = rows.find(key)
  if (template === null && (!before || before.deleted)) throw unknownActionType()
  if (!before) requireRoomForTypes(batch, 1)
  const action = template === null ? 'deleted' : !before || before.deleted ? 'created' : 'updated'
  const id = before?.id ?? newUuid()
  const version = (before?.version ?? 0) + 1
  const text = template === null ? canonical({ type: key }) : templateText(template)
  const [digest, target, entryId] = [digestOf(text), typedId('actionType', id), newUuid()]
  const by = { id: caller.actorId as string }
  const disclosed = { actionType: JSON.parse(text) as Json, key, version, digest, action, by }
  const prepared = historyStatic(
    {
      id: typedId('history', entryId),
      type: 'actionType',
      target,
      previous: before?.change_hash ?? null,
      values: disclosed,
    },
    (commitments) => actionTypeState(commitments.actionType as string),
    newSalt,
  )
  const entry = batch.appendHistory(entryId, prepared, disclosed)
  const row: ActionTypeVersion = {
    ...{ center_id: centerId, id, version, key, template: text, digest, deleted: template === null },
    ...{ created_by: by.id, created_at: entry.sealedAt, change_hash: entry.hash },
  }
  rows.insert(row)
  auditInBatch(batch, caller, {
    type: 'policy.changed',
    action: `action_type_${action}`,
    target: { type: 'action_type', id: target },
    details: { actionType: key, version, digest },
  })
  return row
}
