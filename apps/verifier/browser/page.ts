/** The page: what was given to it, what is shown of it, and every way to give it something. */
import { shown } from '@countersign/proof/shown.ts'
import type { TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type Alteration, alterOne } from '../alter.ts'
import { type Given, type Judged, judge, type ProofRead, policyOf, read, taken } from '../judge.ts'
import { type Language, languages, say, type Words } from '../words.ts'
import { certificateFor, certificateView } from './certificate-view.ts'
import { byId, keepingFocus, make, sign } from './dom.ts'
import { askPolicyView } from './policy-view.ts'
import { banner, recordView, type Served } from './record-view.ts'
import { detailsView, headlineView, sentenceOf, statusOf } from './result-view.ts'
import type { Shown, UsedPolicy } from './shown.ts'

interface Item {
  readonly name: string
  readonly read: ProofRead
  readonly alteration: Alteration | null
}

const served = JSON.parse(byId('served').textContent ?? 'null') as Served | null

let language: Language = navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en'
let policy: UsedPolicy | null = null
/** A policy that was given and not answered for yet. */
let offered: TrustPolicy | null = null
let refusedPolicy = false
let items: readonly Item[] = []
/** Of lost entries, as they were given. The list is replaced and never changed. */
let declarations: readonly unknown[] = []
let selected = 0
let turn = 0
/** The certificate of the file is shown in the place of everything else. */
let certifying = false

const words = (): Words => languages[language]

// --- drawing

function draw(): void {
  keepingFocus(() => {
    document.documentElement.lang = language
    document.title = words().title
    byId('languages').setAttribute('aria-label', words().languages)
    for (const each of ['ko', 'en']) byId(`say-${each}`).setAttribute('aria-pressed', String(each === language))
    for (const element of document.querySelectorAll<HTMLElement>('[data-say]')) {
      element.textContent = words()[element.dataset.say as keyof Words]
    }
    byId('trust-state').textContent = words()[policy?.from ?? 'trustNone']
    byId('drop-policy').toggleAttribute('disabled', policy === null)
    const read = declarations.length > 0 ? say(words().declarationsRead, { count: String(declarations.length) }) : ''
    byId('policy-notice').textContent = refusedPolicy ? words().policyTogether : read
    byId('policy-asked').replaceChildren(
      ...(offered
        ? askPolicyView(
            offered,
            words(),
            () => answer(true),
            () => answer(false),
          )
        : []),
    )
    drawRecord()
    drawFiles()
    drawResult()
  })
}

function drawRecord(): void {
  const { facts } = served ?? {}
  const record = byId('record')
  record.hidden = facts === undefined
  if (facts === undefined) return
  record.setAttribute('aria-labelledby', 'record-heading')
  record.replaceChildren(...recordView({ ...served, facts } as Served, language))
}

/** Signatures take milliseconds, and there may be hundreds of files: each is judged once under each policy. */
const known = new WeakMap<Item, { readonly under: readonly unknown[]; readonly found: Judged | null }>()

function judged(item: Item): Judged | null {
  const trust = policy?.trust ?? null
  const under = [trust, declarations]
  const before = known.get(item)
  if (before?.under.every((each, at) => each === under[at])) return before.found
  const { read: given, alteration } = item
  const found = given.kind === 'proof' ? judge(alteration?.document ?? given.document, trust, declarations) : null
  known.set(item, { under, found })
  return found
}

function drawFiles(): void {
  const list = items.map((item, position) => {
    const found = judged(item)
    const status = found === null ? 'no' : statusOf(found)
    const sentence = found === null ? words().saysUnreadable : sentenceOf(found, words())
    const current = position === selected
    return make(
      'li',
      {},
      make(
        'button',
        {
          type: 'button',
          id: `file-${position}`,
          'aria-current': current ? 'true' : null,
          click: () => select(position),
        },
        sign(status),
        make('span', { class: 'file-name' }, item.name),
        make('span', { class: 'small soft' }, sentence),
      ),
    )
  })
  byId('files').replaceChildren(
    ...(items.length > 1 ? [make('h2', {}, words().files), make('ul', { class: 'files' }, list)] : []),
  )
}

function certify(isShown: boolean): void {
  certifying = isShown
  draw()
  byId(isShown ? 'print' : 'certify').focus()
}

function drawResult(): void {
  const item = items[selected]
  document.body.classList.remove('certifying')
  document.body.classList.toggle('answered', item !== undefined)
  if (!item) return
  const found = judged(item)
  if (found === null) {
    const why = item.read.kind === 'unreadable' ? item.read.why : ''
    const known = words()[why as keyof Words] ?? why
    const more = say(words().saysUnreadableMore, { why: known })
    byId('headline').replaceChildren(banner('no', words().stateBad, words().saysUnreadable, more, { id: 'verdict' }))
    byId('details').replaceChildren()
    return
  }
  const view: Shown = {
    language,
    judged: found,
    alteration: item.alteration,
    expectedHash: served?.facts?.chainHash ?? null,
    policy,
    canAlter: item.read.kind === 'proof' && alterOne(item.read.document, turn) !== null,
    onAlter: () => change(item.read.kind === 'proof' ? alterOne(item.read.document, turn++) : null),
    onRestore: () => {
      change(null)
      byId('alter').focus()
    },
    onAddPolicy: () => {
      byId<HTMLDetailsElement>('trust').open = true
      byId('policy').focus()
    },
  }
  const certificate = certifying ? certificateView(view, () => certify(false)) : null
  byId('certificate-place').replaceChildren(...(certificate ? [certificate] : []))
  document.body.classList.toggle('certifying', certificate !== null)
  const canCertify = certificateFor(view) !== null
  byId('headline').replaceChildren(
    headlineView(view),
    ...(canCertify
      ? [
          make(
            'p',
            { class: 'actions' },
            make(
              'button',
              { type: 'button', class: 'btn plain', id: 'certify', click: () => certify(true) },
              words().certificate,
            ),
          ),
        ]
      : []),
  )
  byId('details').replaceChildren(...detailsView(view).filter((part) => part !== null))
}

// --- what happens

function select(position: number): void {
  certifying = false
  selected = position
  draw()
}

function change(alteration: Alteration | null): void {
  items = items.map((item, position) => (position === selected ? { ...item, alteration } : item))
  draw()
  byId('headline').scrollIntoView({ block: 'nearest' })
}

/** Nothing is believed before whoever reads the page has seen the keys and said so. */
function offer(text: string): void {
  try {
    offered = policyOf(text)
    byId('policy-fault').textContent = ''
    byId<HTMLTextAreaElement>('policy').value = text
  } catch (error) {
    offered = null
    const why = shown(error instanceof Error ? error.message : String(error))
    byId('policy-fault').textContent = say(words().trustBad, { why })
    byId<HTMLDetailsElement>('trust').open = true
  }
  draw()
  if (offered) byId('accept-policy').focus()
}

function answer(trusted: boolean): void {
  if (trusted && offered) policy = { trust: offered, from: 'trustFromYou' }
  offered = null
  refusedPolicy = false
  draw()
  const next = items.length > 0 ? byId('result') : byId('choose')
  next.focus()
}

function take(given: readonly Given[]): void {
  const found = taken(given)
  refusedPolicy = found.refusedPolicy
  if (found.declarations.length > 0) declarations = [...declarations, ...found.declarations]
  if (found.proofs.length > 0) {
    certifying = false
    items = found.proofs.map((proof) => ({ ...proof, alteration: null }))
    selected = 0
    turn = 0
  }
  if (found.policy !== null) {
    offer(found.policy)
    return
  }
  draw()
  if (found.proofs.length === 0) return
  byId('result').focus({ preventScroll: true })
  byId('result').scrollIntoView({ block: 'start' })
}

const largest = 10 * 1024 * 1024

async function takeFiles(files: Iterable<File>): Promise<void> {
  take(
    await Promise.all(
      [...files].map(async (file) => ({ name: file.name, text: file.size > largest ? null : await file.text() })),
    ),
  )
}

const takeText = (text: string): void => {
  if (text.trim() !== '') take([{ name: words().pastedName, text: text.length > largest ? null : text }])
}

// --- ways in

for (const each of ['ko', 'en'] as const) {
  byId(`say-${each}`).addEventListener('click', () => {
    language = each
    draw()
  })
}

const chooser = byId<HTMLInputElement>('choose')
chooser.addEventListener('change', () => {
  void takeFiles(chooser.files ?? [])
  // So that the same file, changed meanwhile, can be chosen again.
  chooser.value = ''
})

let depth = 0
const hover = (over: boolean): void => {
  byId('drop').classList.toggle('over', over)
  const line = byId('drop').querySelector('.drop-line')
  if (line) line.textContent = over ? words().dropNow : words().dropLine
}
addEventListener('dragenter', (event) => {
  event.preventDefault()
  depth++
  hover(true)
})
addEventListener('dragleave', () => {
  depth = Math.max(0, depth - 1)
  if (depth === 0) hover(false)
})
// Without this a browser would leave the page for the file.
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  depth = 0
  hover(false)
  const files = event.dataTransfer?.files
  if (files && files.length > 0) void takeFiles(files)
  else takeText(event.dataTransfer?.getData('text/plain') ?? '')
})

addEventListener('paste', (event) => {
  if (event.target instanceof HTMLTextAreaElement) return
  const files = event.clipboardData?.files
  if (files && files.length > 0) void takeFiles(files)
  else takeText(event.clipboardData?.getData('text/plain') ?? '')
})
byId('check-pasted').addEventListener('click', () => takeText(byId<HTMLTextAreaElement>('pasted').value))

byId('use-policy').addEventListener('click', () => {
  const text = byId<HTMLTextAreaElement>('policy').value
  const given = read(text)
  offer(given.kind === 'policy' ? given.text : text)
})
byId('drop-policy').addEventListener('click', () => {
  policy = null
  offered = null
  byId<HTMLTextAreaElement>('policy').value = ''
  draw()
})

byId('keep').hidden = served === null
if (served?.policy) {
  // Whoever serves the page could change the page itself: its policy is used, and every result says whose it is.
  policy = { trust: policyOf(served.policy), from: 'trustFromServer' }
  byId<HTMLTextAreaElement>('policy').value = served.policy
}
draw()
