/** What was found about one file. */
import { jointDrawing } from '@countersign/design/joint.ts'
import { problemInWords } from '@countersign/proof/problem-words.ts'
import { summaryOf } from '@countersign/proof/summary.ts'
import { headlineOf, type Judged, tones } from '../judge.ts'
import { languages, say, verdictInWords, type Words } from '../words.ts'
import { approvalsView, limitsView, sealBoxView } from './decision-view.ts'
import { contentView, factsView, missingView, outsideView, shortened } from './details-view.ts'
import { drawn, linesOf, make, sign } from './dom.ts'
import { inWords } from './facts-view.ts'
import { generationsView } from './generations-view.ts'
import { banner } from './record-view.ts'
import type { Shown, UsedPolicy } from './shown.ts'

const whose = (policy: UsedPolicy | null, words: Words): string =>
  policy?.from === 'trustFromServer' ? words.policyServer : words.policyYou

type Name = 'intact' | 'inChain' | 'signed' | 'witnessed'
const names: readonly Name[] = ['intact', 'inChain', 'signed', 'witnessed']

export function headlineView({ language, judged, alteration, policy }: Shown): HTMLElement {
  const words = languages[language]
  const { verdict } = judged
  const headline = headlineOf(verdict)
  const { sealedAt } = verdict.facts
  const time = typeof sealedAt === 'string' ? inWords(sealedAt, language) : '–'
  const status = statusOf(judged)
  const served = headline === 'Witnessed' && policy?.from === 'trustFromServer'
  const more = served ? words.saysWitnessedServedMore : words[`says${headline}More`]
  const { lost } = verdict
  const told = headline === 'Lost' && lost?.admitted === false ? words.saysLostDeniedMore : more
  const said = say(told, { time, policy: whose(policy, words), ...lossValues(verdict, language) })
  const refused = status === 'unknown' && tones[headline] === 'good'
  const unsure = headline === 'Sandbox' ? words.stateSandbox : refused ? words.refusedBy : words.unknown
  const failed = headline === 'Altered' ? words.stateAltered : words.stateBad
  const states = { yes: words.stateGood, no: failed, unknown: unsure }
  const shown = banner(status, states[status], sentenceOf(judged, words), said, { id: 'verdict', refused })
  shown.firstElementChild?.prepend(...summaryView(judged, language))
  if (alteration) {
    const { path, before, after } = alteration
    const values = { path, before: shortened(before), after: shortened(after) }
    shown.firstElementChild?.append(
      make('p', { class: 'demo' }, make('strong', {}, words.demo), ' ', say(words.demoMore, values)),
    )
  }
  const seals = sealBoxView(verdict, words)
  if (seals) shown.append(seals)
  return shown
}

/** What happened, before what was checked. */
function summaryView({ document, verdict }: Judged, language: Shown['language']): readonly HTMLElement[] {
  const { text, warnings } = summaryOf(document, verdict, language, { time: (written) => inWords(written, language) })
  return [
    make('p', { class: 'happened', id: 'summary' }, text),
    ...warnings.map((each) => make('p', { class: 'small broken' }, each)),
  ]
}

const lossValues = ({ lost, facts }: Judged['verdict'], language: Shown['language']) =>
  lost && {
    entry: String((facts.index ?? 0) + 1),
    ...{ log: lost.lost.log, kept: String(lost.lost.kept), size: String(lost.lost.size) },
    ...{ reason: lost.reason, by: lost.declaredBy, at: inWords(lost.declaredAt, language) },
  }

/** For the sign on top. A tick beside a refusal would be taken for a yes to the decision. */
export function statusOf({ verdict }: Judged): 'yes' | 'no' | 'unknown' {
  const tone = tones[headlineOf(verdict)]
  if (tone === 'bad') return 'no'
  return tone === 'good' && verdict.facts.decision?.result !== 'refused' ? 'yes' : 'unknown'
}

/** A refusal and a sandbox are named at once: a record that holds is easily taken for a yes. */
export function sentenceOf({ verdict }: Judged, words: Words): string {
  const headline = headlineOf(verdict)
  const said = words[`says${headline}`]
  const sentence = verdict.sandbox && headline !== 'Sandbox' ? `${words.fromSandbox} ${said}` : said
  if (tones[headline] === 'bad' || headline === 'Newer') return sentence
  if (verdict.facts.decision?.result !== 'refused') return sentence
  return `${tones[headline] === 'good' ? words.saysRefusal : words.saysRefusalClaimed} ${sentence}`
}

export function detailsView(shown: Shown): readonly (HTMLElement | null)[] {
  const words = languages[shown.language]
  return [
    verdictList(shown, words),
    problemList(shown, words),
    generationsView(shown, words),
    make(
      'div',
      { class: 'beside' },
      approvalsView(shown.judged.verdict, shown.language),
      limitsView(shown.judged.verdict, words),
    ),
    tryIt(shown, words),
    sameRecord(shown, words),
    contentView(shown, words),
    missingView(shown, words),
    factsView(shown, words),
    outsideView(shown, words),
    make(
      'details',
      { class: 'fold' },
      make('summary', {}, words.document),
      make('pre', { tabindex: '0' }, linesOf(JSON.stringify(shown.judged.document, null, 2))),
    ),
  ]
}

function verdictList({ judged, language, policy, onAddPolicy }: Shown, words: Words): HTMLElement {
  const { verdict } = judged
  const entry = verdict.facts.index === null ? '–' : String(verdict.facts.index + 1)
  const altered = verdict.intact.status === 'no'
  const fromServer = policy?.from === 'trustFromServer'
  const note = altered ? words.onlyTheHash : fromServer && verdict.signed.status === 'yes' ? words.ownPolicy : null
  const values = { entry, policy: whose(policy, words) }
  return make(
    'section',
    { class: 'part chain' },
    jointView(judged),
    make('h2', {}, words.verdicts),
    make(
      'ol',
      { class: 'checks' },
      names.map((name) => {
        const { status, code, detail } = verdict[name]
        const asks = name === 'signed' && code === 'no-policy'
        return make(
          'li',
          { 'data-verdict': name, 'data-status': status },
          sign(status),
          make('h3', {}, words[name]),
          make('span', { class: `word ${status}` }, words[status]),
          make(
            'div',
            {},
            make('p', {}, say(verdictInWords(name, code, detail, language), values)),
            asks &&
              make(
                'button',
                { type: 'button', class: 'btn plain low', id: 'add-policy', click: onAddPolicy },
                words.addPolicy,
              ),
          ),
        )
      }),
    ),
    policy !== null && make('p', { class: 'small soft under', id: 'used-policy' }, usedPolicy(policy, words)),
    note !== null && make('p', { class: 'small soft under' }, note),
  )
}

const jointSize = 104

/**
 * One half is drawn from the hash that the file says was sealed, the other from the hash of what it shows. Ink only where
 * the log is one that the reader trusts. Silent, because the verdicts beside it say the same.
 */
function jointView({ document, verdict: { facts, intact, inChain } }: Judged): Element | null {
  const { chain } = (document as { evidence?: { chain?: { hash?: unknown } } } | null)?.evidence ?? {}
  if (typeof chain?.hash !== 'string') return null
  const broken = intact.status === 'no' || inChain.status === 'no'
  const joint = drawn(jointDrawing({ hashA: chain.hash, hashB: facts.hash ?? '', broken, size: jointSize, label: '' }))
  if (inChain.status !== 'yes') joint.classList.add('joint-open')
  return joint
}

function usedPolicy(policy: UsedPolicy, words: Words): string {
  const { logs, witnesses } = policy.trust
  const named = (keys: readonly { readonly key: { readonly name: string; readonly keyId: string } }[]) =>
    keys.map(({ key: { name, keyId } }) => `${name} (${keyId})`).join(', ') || words.usedNobody
  return say(words.usedPolicy, { policy: whose(policy, words), logs: named(logs), witnesses: named(witnesses) })
}

function tryIt({ alteration, canAlter, onAlter, onRestore }: Shown, words: Words): HTMLElement | null {
  if (!canAlter && !alteration) return null
  return make(
    'section',
    { class: 'part try' },
    make('div', {}, make('h2', {}, words.tryIt), make('p', {}, words.tryItWhy)),
    make(
      'p',
      { class: 'actions' },
      make('button', { type: 'button', class: 'btn', id: 'alter', click: onAlter }, words.alter),
      ' ',
      make(
        'button',
        { type: 'button', class: 'btn plain', id: 'restore', disabled: !alteration, click: onRestore },
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
    { class: `notice ${same ? 'verified' : 'broken'}` },
    sign(same ? 'yes' : 'no'),
    same ? words.sameRecord : words.otherRecord,
  )
}

const mostProblems = 8

function problemList({ judged, language }: Shown, words: Words): HTMLElement | null {
  const all = judged.verdict.problems.map((problem) => ({
    path: problem.path,
    message: problemInWords(problem, language),
  }))
  if (all.length === 0) return null
  const more = all.length - mostProblems
  return make(
    'section',
    { class: 'part' },
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
