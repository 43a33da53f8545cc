/** A policy that was given, with its keys, and the question whether to trust them. */
import type { TrustPolicy } from '@countersign/proof/trust-policy.ts'
import type { Words } from '../words.ts'
import { make } from './dom.ts'

export function askPolicyView(
  { logs, witnesses, quorum }: TrustPolicy,
  words: Words,
  onAccept: () => void,
  onRefuse: () => void,
): readonly HTMLElement[] {
  const line = (name: string, value: string) =>
    make('div', {}, make('dt', {}, name), make('dd', {}, make('code', {}, value)))
  return [
    make(
      'section',
      { class: 'part', 'aria-labelledby': 'policy-question' },
      make('h2', { id: 'policy-question' }, words.askPolicy),
      make('p', {}, words.askPolicyWhy),
      make(
        'dl',
        { class: 'facts' },
        logs.map(({ key }) => line(words.askLog, key.vkey)),
        witnesses.map(({ key }) => line(words.askWitness, key.vkey)),
        line(words.askQuorum, quorum),
      ),
      make(
        'p',
        { class: 'actions' },
        make(
          'button',
          { type: 'button', class: 'btn first', id: 'accept-policy', click: onAccept },
          words.acceptPolicy,
        ),
        ' ',
        make(
          'button',
          { type: 'button', class: 'btn plain', id: 'refuse-policy', click: onRefuse },
          words.refusePolicy,
        ),
      ),
    ),
  ]
}
