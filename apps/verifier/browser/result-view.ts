/** What was found about one file. */
import type { Alteration } from '../alter.ts'
import { headlineOf, type Judged, tones } from '../judge.ts'
import { problemInWords } from '../problem-words.ts'
import { verdictInWords } from '../verdict-words.ts'
import { type Language, languages, say, type Words } from '../words.ts'
import { make, sign } from './dom.ts'
import { type Fact, factList, inWords } from './facts-view.ts'
import { banner } from './record-view.ts'

export interface Shown {
  readonly language: Language
  readonly judged: Judged
  readonly alteration: Alteration | null
  /** Of the record at this address, where the page has one. */
  readonly expectedHash: string | null
  /** Whoever serves the page also said whom to trust. */
  readonly fromServer: boolean
  readonly canAlter: boolean
  readonly onAlter: () => void
  readonly onRestore: () => void
  readonly onAddPolicy: () => void
}

type Name = 'intact' | 'inChain' | 'signed' | 'witnessed'
const names: readonly Name[] = ['intact', 'inChain', 'signed', 'witnessed']

export function headlineView({ language, judged, alteration }: Shown): HTMLElement {
  const words = languages[language]
  const headline = headlineOf(judged.verdict)
  const tone = tones[headline]
  const { sealedAt } = judged.verdict.facts
  const time = typeof sealedAt === 'string' ? inWords(sealedAt, language) : '–'
  const status = tone === 'good' ? 'yes' : tone === 'bad' ? 'no' : 'unknown'
  const shown = banner(tone, status, words[`says${headline}`], say(words[`says${headline}More`], { time }), 'verdict')
  if (alteration) {
    const { path, before, after } = alteration
    const values = { path, before: shortened(before), after: shortened(after) }
    shown.lastElementChild?.append(
      make('p', { class: 'demo' }, make('strong', {}, words.demo), ' ', say(words.demoMore, values)),
    )
  }
  return shown
}

export function detailsView(shown: Shown): readonly (HTMLElement | null)[] {
  const words = languages[shown.language]
  return [
    verdictList(shown, words),
    tryIt(shown, words),
    sameRecord(shown, words),
    problemList(shown, words),
    content(shown, words),
    missing(shown, words),
    facts(shown, words),
    make(
      'details',
      { class: 'fold' },
      make('summary', {}, words.document),
      make('pre', { tabindex: '0' }, JSON.stringify(shown.judged.document, null, 2)),
    ),
  ]
}

function verdictList({ judged, language, fromServer, onAddPolicy }: Shown, words: Words): HTMLElement {
  const { verdict } = judged
  const entry = verdict.facts.index === null ? '–' : String(verdict.facts.index + 1)
  const altered = verdict.intact.status !== 'yes'
  const note = altered ? words.onlyTheHash : fromServer && verdict.signed.status === 'yes' ? words.ownPolicy : null
  return make(
    'section',
    { class: 'card' },
    make('h2', {}, words.verdicts),
    make(
      'ol',
      { class: 'verdicts' },
      names.map((name) => {
        const { status, code, detail } = verdict[name]
        const asks = name === 'signed' && code === 'no-policy'
        return make(
          'li',
          { 'data-verdict': name, 'data-status': status },
          sign(status),
          make(
            'div',
            {},
            make('h3', {}, words[name], ' ', make('span', { class: `word ${status}` }, words[status])),
            make('p', {}, say(verdictInWords(name, code, detail, language), { entry })),
            asks &&
              make(
                'button',
                { type: 'button', class: 'button plain small', id: 'add-policy', click: onAddPolicy },
                words.addPolicy,
              ),
          ),
        )
      }),
    ),
    note !== null && make('p', { class: 'fine under' }, note),
  )
}

function tryIt({ alteration, canAlter, onAlter, onRestore }: Shown, words: Words): HTMLElement | null {
  if (!canAlter && !alteration) return null
  return make(
    'section',
    { class: 'card try' },
    make('div', {}, make('h2', {}, words.tryIt), make('p', {}, words.tryItWhy)),
    make(
      'p',
      { class: 'actions' },
      make('button', { type: 'button', class: 'button', id: 'alter', click: onAlter }, words.alter),
      ' ',
      make(
        'button',
        { type: 'button', class: 'button plain', id: 'restore', disabled: !alteration, click: onRestore },
        words.restore,
      ),
    ),
  )
}

function sameRecord({ expectedHash, judged }: Shown, words: Words): HTMLElement | null {
  if (expectedHash === null || judged.verdict.intact.status !== 'yes') return null
  const same = judged.verdict.facts.hash === expectedHash
  return make(
    'p',
    { class: `notice ${same ? 'good' : 'bad'}` },
    sign(same ? 'yes' : 'no'),
    same ? words.sameRecord : words.otherRecord,
  )
}

const mostProblems = 8

function problemList({ judged, language }: Shown, words: Words): HTMLElement | null {
  const all = judged.verdict.problems.map(({ path, message }) => ({ path, message: problemInWords(message, language) }))
  if (all.length === 0) return null
  const more = all.length - mostProblems
  return make(
    'section',
    { class: 'card' },
    make('h2', {}, words.problems),
    make(
      'ul',
      { class: 'paths' },
      all
        .slice(0, mostProblems)
        .map(({ path, message }) => make('li', {}, path !== '' && make('code', {}, path), ' ', message)),
      more > 0 && make('li', {}, say(words.moreProblems, { count: more })),
    ),
  )
}

const elsewhere = ['id', 'decisionId', 'chain', 'commitments', 'disclosures', 'log', 'sealedAt', 'history', 'content']

function content({ judged, alteration }: Shown, words: Words): HTMLElement | null {
  const evidence = (judged.document as { evidence?: unknown } | null)?.evidence
  if (typeof evidence !== 'object' || evidence === null) return null
  const rows: HTMLElement[] = []
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`)
      return
    }
    const text = shortened(typeof value === 'string' ? value : JSON.stringify(value))
    const changed = alteration?.path === `evidence.${path}`
    rows.push(
      make('div', {}, make('dt', {}, make('code', {}, path)), make('dd', {}, changed ? make('mark', {}, text) : text)),
    )
  }
  for (const [name, value] of Object.entries(evidence)) {
    // The content of a unit is what it says; that of a decision is the hashed text, which is in the document below.
    if (!elsewhere.includes(name) || (name === 'content' && !('event' in evidence))) visit(value, name)
  }
  return rows.length === 0
    ? null
    : make(
        'section',
        { class: 'card' },
        make('h2', {}, words.says),
        make('dl', { class: 'facts said' }, rows.slice(0, 60)),
      )
}

function missing({ judged, language }: Shown, words: Words): HTMLElement | null {
  const { undisclosed, redacted } = judged.verdict
  if (undisclosed.length + redacted.length === 0) return null
  return make(
    'section',
    { class: 'card' },
    redacted.length > 0 && [
      make('h2', {}, words.redacted),
      make('p', {}, words.redactedWhy),
      make(
        'ul',
        { class: 'paths' },
        redacted.map(({ path, at, reason }) =>
          make(
            'li',
            {},
            say(reason ? words.redactedFor : words.redactedAt, {
              path,
              time: inWords(at, language),
              reason: reason ?? '',
            }),
          ),
        ),
      ),
    ],
    undisclosed.length > 0 && [
      make('h2', {}, words.undisclosed),
      make('p', {}, words.undisclosedWhy),
      make(
        'ul',
        { class: 'paths' },
        undisclosed.map((path) => make('li', {}, make('code', {}, path))),
      ),
    ],
  )
}

function facts({ judged, language }: Shown, words: Words): HTMLElement {
  const { id, decisionId, log, index, hash, sealedAt, size, cosignedBy, timestamped } = judged.verdict.facts
  const place =
    index === null ? null : say(size === null ? words.factAlone : words.factOf, { entry: index + 1, size: size ?? '' })
  return make(
    'section',
    { class: 'card' },
    make('h2', {}, words.facts),
    factList(
      [
        ['factId', id, 'code'],
        ['factDecision', decisionId, 'code'],
        ['factLog', log, 'code'],
        ['factIndex', place],
        ['factHash', hash, 'code'],
        ['factSealed', sealedAt, 'time'],
        ...cosignedBy.map(
          ({ name, at }): Fact => ['factWitness', say(words.factWitnessed, { name, time: inWords(at, language) })],
        ),
        ['factTimestamp', timestamped?.at, 'time'],
      ],
      words,
      language,
    ),
  )
}

const longest = 600
const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)} …` : text)
