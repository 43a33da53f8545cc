/** The page: what was given to it, what is shown of it, and every way to give it something. */
import type { TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type Alteration, alterOne } from '../alter.ts'
import { headlineOf, type Judged, judge, policyOf, type Read, read, tones } from '../judge.ts'
import { type Language, languages, say, type Words } from '../words.ts'
import { byId, keepingFocus, make, sign } from './dom.ts'
import { banner, recordView, type Served } from './record-view.ts'
import { detailsView, headlineView, type Shown } from './result-view.ts'

interface Item {
  readonly name: string
  readonly read: Exclude<Read, { kind: 'policy' }>
  readonly alteration: Alteration | null
}

const served = JSON.parse(byId('served').textContent ?? 'null') as Served | null

let language: Language = navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en'
let policy: { readonly trust: TrustPolicy; readonly from: 'trustFromServer' | 'trustFromYou' } | null = null
let items: readonly Item[] = []
let selected = 0
let turn = 0

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
  record.replaceChildren(...recordView(facts, language))
}

/** Signatures take milliseconds, and there may be hundreds of files: each is judged once under each policy. */
const known = new WeakMap<Item, { readonly under: TrustPolicy | null; readonly found: Judged | null }>()

function judged(item: Item): Judged | null {
  const under = policy?.trust ?? null
  const before = known.get(item)
  if (before?.under === under) return before.found
  const { read: given, alteration } = item
  const found = given.kind === 'proof' ? judge(alteration?.document ?? given.document, under) : null
  known.set(item, { under, found })
  return found
}

function drawFiles(): void {
  const list = items.map((item, position) => {
    const found = judged(item)
    const headline = found && headlineOf(found.verdict)
    const status =
      headline === null || tones[headline] === 'bad' ? 'no' : tones[headline] === 'good' ? 'yes' : 'unknown'
    const sentence = headline === null ? words().saysUnreadable : words()[`says${headline}`]
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
        make('span', { class: 'fine' }, sentence),
      ),
    )
  })
  byId('files').replaceChildren(
    ...(items.length > 1 ? [make('h2', { class: 'quiet' }, words().files), make('ul', { class: 'files' }, list)] : []),
  )
}

function drawResult(): void {
  const item = items[selected]
  document.body.classList.toggle('answered', item !== undefined)
  if (!item) return
  const found = judged(item)
  if (found === null) {
    const why = item.read.kind === 'unreadable' ? item.read.why : ''
    const more = say(words().saysUnreadableMore, { why: why === 'too large' ? words().saysTooLarge : why })
    byId('headline').replaceChildren(banner('bad', 'no', words().saysUnreadable, more, 'verdict'))
    byId('details').replaceChildren()
    return
  }
  const shown: Shown = {
    language,
    judged: found,
    alteration: item.alteration,
    expectedHash: served?.facts?.chainHash ?? null,
    fromServer: policy?.from === 'trustFromServer',
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
  byId('headline').replaceChildren(headlineView(shown))
  byId('details').replaceChildren(...detailsView(shown).filter((part) => part !== null))
}

// --- what happens

function select(position: number): void {
  selected = position
  draw()
}

function change(alteration: Alteration | null): void {
  items = items.map((item, position) => (position === selected ? { ...item, alteration } : item))
  draw()
  byId('headline').scrollIntoView({ block: 'nearest' })
}

function usePolicy(text: string, from: 'trustFromServer' | 'trustFromYou'): boolean {
  try {
    policy = { trust: policyOf(text), from }
    byId('policy-fault').textContent = ''
    byId<HTMLTextAreaElement>('policy').value = text
    return true
  } catch (error) {
    byId('policy-fault').textContent = say(words().trustBad, {
      why: error instanceof Error ? error.message : String(error),
    })
    byId<HTMLDetailsElement>('trust').open = true
    return false
  } finally {
    draw()
  }
}

/** A policy may come together with the files that it is for. */
function take(given: readonly { readonly name: string; readonly text: string | null }[]): void {
  const reads = given.map(({ name, text }) => ({
    name,
    read: text === null ? ({ kind: 'unreadable', why: 'too large' } as const) : read(text),
  }))
  for (const { read: each } of reads) if (each.kind === 'policy') usePolicy(each.text, 'trustFromYou')
  const proofs = reads.flatMap(({ name, read: each }) =>
    each.kind === 'policy' ? [] : [{ name, read: each, alteration: null }],
  )
  if (proofs.length === 0) return
  items = proofs
  selected = 0
  turn = 0
  draw()
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
  const given = read(byId<HTMLTextAreaElement>('policy').value)
  usePolicy(given.kind === 'policy' ? given.text : byId<HTMLTextAreaElement>('policy').value, 'trustFromYou')
})
byId('drop-policy').addEventListener('click', () => {
  policy = null
  byId<HTMLTextAreaElement>('policy').value = ''
  draw()
})

byId('keep').hidden = served === null
if (served?.policy) usePolicy(served.policy, 'trustFromServer')
else draw()
