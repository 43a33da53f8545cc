/** One open decision: what is asked, with what data, which rule stopped it, and what an approval will seal. */
import type { Compared } from '@countersign/proof/deciding.ts'
import type { Language } from '../words.ts'
import { dataView } from './data-view.ts'
import { at, factsOf, nameOf, ruleSentences, sentenceOf } from './decision-words.ts'
import { button, type Child, field, form, linesOf, make } from './dom.ts'
import { duration } from './format.ts'
import { spoken, told, type View, words } from './page.ts'
import { sealPicture } from './pictures.ts'
import type { Decision, Given, Me } from './types.ts'

export interface Draft {
  reason: string
  comment: string
}

export interface Deciding {
  readonly me: Me
  readonly owner: string | undefined
  readonly decision: Decision
  readonly mine: Given | null
  readonly compared: Compared
  readonly draft: Draft
  /** What stands in the way, in a sentence or two. */
  readonly fault: Child
  decide(result: 'approved' | 'rejected'): Promise<void>
  comment(text: string): Promise<boolean>
  signOut(): Promise<void>
}

export const asksForPasskey = ({ waiting }: Decision): boolean =>
  waiting?.rules.some(({ identity }) => identity === 'passkey') ?? false

export const sentenceView = (decision: Decision, language: Language): HTMLElement =>
  make(
    'h1',
    { class: 'sentence' },
    sentenceOf(decision, language).map(({ text, fact }) => (fact ? make('span', { class: 'f' }, text) : text)),
  )

function ruleView({ waiting }: Decision): HTMLElement {
  const rules = waiting?.rules ?? []
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, words().ruleHeading),
    rules.length === 0 && make('p', {}, words().noRule),
    rules.map((rule) => [
      make('p', { class: 'rule' }, make('b', {}, rule.name), ' ', ruleSentences(rule, spoken())),
      rule.description !== null && make('p', { class: 'small soft' }, linesOf(rule.description)),
    ]),
  )
}

function sealView({ me, decision, compared }: Deciding): HTMLElement {
  const first = decision.approvals.find(({ result }) => result === 'approved')
  const digest = { same: 'digestSame', other: 'digestOther', unknown: 'digestUnknown' } as const
  return make(
    'section',
    { class: 'part seals-what' },
    make(
      'div',
      {},
      make('h2', {}, told('sealHeading', { name: me.name })),
      first && make('p', {}, told('sealTogether', { name: nameOf(first) })),
      make('p', { class: 'small soft' }, words().sealSays),
      make(
        'p',
        { class: compared === 'other' ? 'small broken' : 'small soft', id: 'digest' },
        words()[digest[compared]],
      ),
    ),
    make('div', { class: 'places' }, [
      first &&
        sealPicture({
          level: first.identity.level,
          name: nameOf(first),
          hash: decision.actionDigest,
          size: 76,
          label: told(`seal ${first.identity.level}`, { name: nameOf(first) }),
        }),
      make('span', { class: 'place', 'aria-hidden': 'true' }, words().here),
    ]),
  )
}

function commentsView({ decision, draft, comment }: Deciding): HTMLElement {
  const { comments } = decision
  const asking = field(words().askLabel, { rows: '3', maxlength: '10000' }, { tag: 'textarea' })
  asking.input.value = draft.comment
  asking.input.addEventListener('input', () => {
    draft.comment = asking.input.value
  })
  const send = async () => {
    if (asking.input.value.trim() === '') return asking.fault(words().askEmpty)
    if (!(await comment(asking.input.value))) asking.fault(words().wentWrong)
  }
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, words().comments),
    comments.length === 0 && make('p', { class: 'soft' }, words().noComments),
    make(
      'ol',
      { class: 'comments' },
      comments.map(({ author, text, createdAt }) =>
        make(
          'li',
          {},
          make('p', { class: 'small soft' }, make('b', {}, author.name), ' · ', at(createdAt, spoken())),
          make('p', { class: 'said' }, linesOf(text)),
        ),
      ),
    ),
    make(
      'details',
      { open: draft.comment !== '' },
      make('summary', { class: 'link tap' }, words().ask),
      form(
        send,
        asking.box,
        make('button', { type: 'submit', class: 'btn plain', 'data-busy': words().working }, words().askSend),
      ),
    ),
  )
}

function actView({ decision, draft, compared, decide }: Deciding): HTMLElement {
  const opinion = field(
    words().opinion,
    { rows: '1', maxlength: '10000', placeholder: words().opinionHint },
    { tag: 'textarea' },
  )
  opinion.input.value = draft.reason
  opinion.input.addEventListener('input', () => {
    draft.reason = opinion.input.value
  })
  const refuse = () => {
    const missing = opinion.input.value.trim() === ''
    opinion.fault(missing ? words().needReason : '')
    return missing ? undefined : decide('rejected')
  }
  const label = asksForPasskey(decision) ? words().approvePasskey : words().approve
  const approve = button(label, 'first', () => decide('approved'), words().sealing)
  approve.id = 'approve'
  if (compared === 'other') approve.disabled = true
  approve.setAttribute('aria-describedby', 'digest')
  const refusal = button(words().refuse, '', refuse, words().sealing)
  refusal.id = 'refuse'
  return make('section', { class: 'act', 'aria-label': words().decisionTitle }, opinion.box, refusal, approve)
}

export function decisionView(deciding: Deciding): View {
  const { decision, owner, me, mine, fault } = deciding
  const expiresAt = decision.waiting?.expiresAt ?? null
  const facts = factsOf(decision, spoken())
  return {
    title: words().decisionTitle,
    owner,
    end:
      expiresAt !== null &&
      make(
        'p',
        { class: 'small waiting', id: 'left', title: told('dueAt', { time: at(expiresAt, spoken()) }) },
        leftText(expiresAt),
      ),
    body: [
      sentenceView(decision, spoken()),
      make(
        'div',
        { class: 'fault notice', id: 'fault', role: 'alert', tabindex: '-1' },
        fault !== null && make('div', {}, fault),
      ),
      make(
        'section',
        { class: 'part' },
        make(
          'dl',
          { class: 'facts' },
          facts.map(({ name, value }) => [make('dt', {}, name), make('dd', {}, value)]),
        ),
        dataView(decision),
      ),
      ruleView(decision),
      mine ? make('section', { class: 'part' }, make('p', {}, words().alreadyMine)) : sealView(deciding),
      commentsView(deciding),
      make(
        'p',
        { class: 'part small soft who' },
        told('signedInAs', { name: me.name }),
        ' ',
        button(words().signOut, 'quiet', deciding.signOut),
      ),
    ],
    act: mine ? null : actView(deciding),
  }
}

/** A glyph and words: never a color alone. */
export const leftText = (expiresAt: string): string =>
  `◷ ${told('left', { time: duration(Date.parse(expiresAt) - Date.now(), spoken()) })}`
