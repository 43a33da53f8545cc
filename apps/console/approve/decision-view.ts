/** One open decision: what is asked, with what data, which rule stopped it, and what an approval will seal. */
import { type DecisionView, decisionView as viewOf } from '@countersign/proof/decision-view.ts'
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { headlineFold, headlineNodes, viewNodes } from '@countersign/proof/view-tree.ts'
import type { Decision } from '@countersign/sdk'
import { contextOf, recordedText } from '../decision/recorded.ts'
import { ruleSentences } from '../decision/rules.ts'
import { durationText, timeText } from '../ui/clock.ts'
import { actView } from './act-view.ts'
import type { Deciding } from './deciding.ts'
import { button, type Child, field, form, linesOf, make, nodeOf } from './dom.ts'
import { say, spoken, type View } from './page.ts'
import { sealsView } from './seals-view.ts'

const at = (iso: string): string => timeText(iso, spoken(), 'long')

const fromView = (decision: Decision): HTMLElement =>
  make(
    'p',
    { class: 'from' },
    `${recordedText(decision, spoken())} · ${at(decision.createdAt)}`,
    make('br'),
    sayView(spoken(), 'madeOfValues'),
  )

/** The seals stand below the values that decide. */
function valuesView({ decision, viewer }: Deciding, view: DecisionView): readonly Node[] {
  const parts = viewNodes(view, contextOf(decision)).map(nodeOf)
  const read = parts.findIndex((part) => (part as Element).querySelector('.reads') !== null) + 1
  return [...parts.slice(0, read), sealsView(decision, viewer), ...parts.slice(read)]
}

function ruleView({ waiting }: Decision): HTMLElement {
  const rules = waiting?.rules ?? []
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, say('rules')),
    rules.length === 0 && make('p', {}, say('noRule')),
    rules.map((rule) => [
      make('p', { class: 'rule' }, make('b', {}, rule.name), ' ', ruleSentences(rule, say, spoken())),
      rule.description !== null && make('p', { class: 'small soft' }, linesOf(rule.description)),
    ]),
  )
}

function sealView({ name, decision, compared }: Deciding): HTMLElement {
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, say('sealHeading', { name })),
    make('p', { class: 'small soft' }, say('sealSays')),
    make('p', { class: compared === 'other' ? 'small broken' : 'small soft', id: 'digest' }, say(`digest${compared}`)),
    make('p', { class: 'hash' }, `${say('digest')} ${decision.actionDigest.replace(/^sha256:/, '')}`),
    make('p', { class: 'hash' }, `${say('numbers')} ${decision.decisionId} ${decision.id}`),
  )
}

function commentsView({ decision, draft, comment }: Deciding): HTMLElement {
  const { comments } = decision
  const asking = field(say('askLabel'), { rows: '3', maxlength: '10000' }, { tag: 'textarea' })
  asking.input.value = draft.comment
  asking.input.addEventListener('input', () => {
    draft.comment = asking.input.value
  })
  const send = async () => {
    if (asking.input.value.trim() === '') return asking.fault(say('askEmpty'))
    if (!(await comment(asking.input.value))) asking.fault(say('stopfailed'))
  }
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, say('comments')),
    comments.length === 0 && make('p', { class: 'soft' }, say('noComments')),
    make(
      'ol',
      { class: 'comments' },
      comments.map(({ author, text, createdAt }) =>
        make(
          'li',
          {},
          make('p', { class: 'small soft' }, make('b', {}, author.name), ' · ', at(createdAt)),
          make('p', { class: 'said' }, linesOf(text)),
        ),
      ),
    ),
    make(
      'details',
      { open: draft.comment !== '' },
      make('summary', { class: 'link tap' }, say('ask')),
      form(
        send,
        asking.box,
        make('button', { type: 'submit', class: 'btn plain', 'data-busy': say('working') }, say('askSend')),
      ),
    ),
  )
}

export function decisionView(deciding: Deciding): View {
  const { decision, owner, name, mine, fault } = deciding
  const expiresAt = decision.waiting?.expiresAt ?? null
  const view = viewOf(decision, spoken())
  const fold = headlineFold(view)
  return {
    title: say('decisionTitle'),
    owner,
    end:
      expiresAt !== null &&
      make(
        'p',
        { class: 'small waiting', id: 'left', title: say('dueAt', { time: at(expiresAt) }) },
        leftText(expiresAt),
      ),
    body: [
      make('h1', { class: fold ? 'sentence long' : 'sentence' }, headlineNodes(view).map(nodeOf)),
      fold !== null && nodeOf(fold),
      fromView(decision),
      mine !== null && faultView(fault),
      valuesView(deciding, view),
      ruleView(decision),
      mine
        ? make(
            'section',
            { class: 'part' },
            make('p', {}, say('mine')),
            button(say('takeBack'), 'plain', deciding.takeBack, say('working')),
          )
        : sealView(deciding),
      commentsView(deciding),
      make(
        'p',
        { class: 'part small soft who' },
        say('signedInAs', { name }),
        ' ',
        button(say('signOut'), 'quiet', deciding.signOut),
      ),
    ],
    act: mine ? null : actView(deciding, view, faultView(fault)),
  }
}

const faultView = (fault: Child): HTMLElement =>
  make(
    'div',
    { class: 'fault notice', id: 'fault', role: 'alert', tabindex: '-1' },
    fault !== null && make('div', {}, fault),
  )

/** A glyph and words: never a color alone. */
export const leftText = (expiresAt: string): string =>
  `◷ ${say('left', { time: durationText(Date.parse(expiresAt) - Date.now(), spoken()) })}`
