/** What a passkey signs when a draft is reviewed, shown before it is asked. */
import type { RaiseChallenge } from '@countersign/sdk'
import { Dialog } from '../../../ui/dialog.tsx'
import { Hash } from '../../../ui/hash.tsx'
import { Time } from '../../../ui/time.tsx'
import { useCenterWords } from '../words.ts'
import type { Draft } from './data.ts'
import { useDraftWords } from './words.ts'

interface Properties {
  readonly draft: Draft
  readonly challenge: RaiseChallenge
  readonly signer: string
  readonly busy: boolean
  onSign(): void
  onClose(): void
}

export function StatementDialog({ draft, challenge, signer, busy, onSign, onClose }: Properties) {
  const say = useDraftWords()
  const ofCenter = useCenterWords()
  const { statement, expiresAt } = challenge
  const { editedBy } = draft.draft
  const rows = [
    [
      'stateRecord',
      <span key="r" className="mono">
        {statement.dpuId}
      </span>,
    ],
    ['stateLevel', ofCenter(`level${statement.evidenceLevel}`)],
    ['stateText', editedBy ? say('stateTextOurs', { name: editedBy.name }) : say('stateTextMachine')],
    ['stateNewest', <Hash key="h" value={statement.previous} />],
    ['stateWho', signer],
    [
      'statePolicies',
      statement.policies.length === 0
        ? say('stateNone')
        : statement.policies.map(({ id, version }) => `${id} (${version})`).join(', '),
    ],
    ['stateUntil', <Time key="t" at={expiresAt} form="long" />],
  ] as const
  return (
    <Dialog title={say('statementTitle')} onClose={onClose} action={{ text: say('sign'), disabled: busy, run: onSign }}>
      <p className="soft">{say('statementLede')}</p>
      <dl className="facts">
        {rows.map(([word, value]) => (
          <Row key={word} name={say(word)}>
            {value}
          </Row>
        ))}
      </dl>
    </Dialog>
  )
}

const Row = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
