/** The box for seals, as people see it and as a screen reader says it. */
import type { Decision } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { DecisionHead } from '../../ui/decision/head.tsx'
import { Places } from '../../ui/decision/places.tsx'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { byPasskey, decisionWith, given, line, people, step } from './lines.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useDecisionWords)

async function boxes(decision: Decision, viewer = 'nobody') {
  const { screen } = await show(
    () => <DecisionHead decision={decision} title="Recorded" />,
    [[/auth\/me$/, { actorId: viewer, language: null, memberships: [] }]],
  )
  await expect.element(screen.getByRole('group').first()).toBeVisible()
  return {
    screen,
    /** Each box: its name, and its steps from the left. */
    read: () =>
      [...screen.container.querySelectorAll('.seal-group')].map((group) => ({
        name: group.getAttribute('aria-label'),
        side: group.querySelector('.side')?.textContent,
        steps: [...group.querySelectorAll('ol > li')].map((each) => ({
          title: each.querySelector('.role')?.textContent,
          places: [...each.querySelectorAll('.place')].map(
            (place) =>
              (place.classList.contains('gone') ? 'gone: ' : '') +
              (place.textContent || place.querySelector('svg')?.getAttribute('aria-label') || 'empty'),
          ),
          current: each.getAttribute('aria-current'),
        })),
        turn: group.querySelector('.seal-turn')?.textContent,
      })),
  }
}

const three = line(
  'Refunds',
  step('담당', [0]),
  step('부원장', [1]),
  step('원장', [], { identity: 'passkey', ...people('박서연') }),
)

it('a line stands in one box, its steps from the left, and names whose turn it is', async () => {
  const decision = decisionWith([three], [given('김민준'), given('최은희', { identity: byPasskey })])
  const { read, screen } = await boxes(decision)
  expect(read()).toEqual([
    {
      name: say('boxOf', { policy: 'Refunds' }),
      side: say('approval'),
      steps: [
        { title: '담당', places: [say('sealsession', { name: '김민준' })], current: null },
        { title: '부원장', places: [say('sealpasskey', { name: '최은희' })], current: null },
        { title: '원장', places: [say('turnOf', { name: '박서연' })], current: 'step' },
      ],
      turn: say('turnLine', { title: '원장', people: '박서연' }),
    },
  ])
  await expect.element(screen.getByText(say('needspasskey'))).toBeVisible()
})

it('a seal by passkey is inked in the box, also beside the small squares of the places', async () => {
  const decision = decisionWith([three], [given('김민준'), given('최은희', { identity: byPasskey })])
  const { screen } = await boxes(decision)
  await show(
    () => <Places decision={decision} />,
    [[/auth\/me$/, { actorId: 'nobody', language: null, memberships: [] }]],
  )
  const ink = screen.container.querySelector('.seal-passkey rect[mask]')
  expect(ink && getComputedStyle(ink).fill).toMatch(/^rgb/)
})

it('the one who looks reads that it is their turn', async () => {
  const decision = decisionWith([three], [given('김민준'), given('최은희')])
  const { read } = await boxes(decision, '박서연')
  await expect.poll(() => read()[0]?.steps[2]?.places).toEqual([say('turnMine')])
})

it('lines run side by side: the longest decides, the others agree', async () => {
  const beside = line('Accounts', step('회계', [1]))
  const { read } = await boxes(decisionWith([beside, three], [given('김민준'), given('윤재')]))
  expect(read().map(({ side }) => side)).toEqual([say('agreement'), say('approval')])
  expect(read()[0]?.turn).toContain(say('lineDone'))
  expect(read()[1]?.turn).toContain('Refunds')
})

it('two of several: the places stand side by side, and the foot counts those who remain', async () => {
  const two = line('Board', step('이사', [0], { count: 2, ...people('가', '나', '다', '라') }))
  const { read, screen } = await boxes(decisionWith([two], [given('남궁민수', { identity: byPasskey })]))
  expect(read()[0]?.steps).toEqual([
    {
      title: `이사 ${say('stepPeople', { count: 2 })}`,
      places: [say('sealpasskey', { name: '남궁민수' }), say('oneOf', { people: 4 })],
      current: 'step',
    },
  ])
  await expect.element(screen.getByText(say('remaining', { count: 1, people: 4 }), { exact: false })).toBeVisible()
  expect(read()[0]?.turn).toBe(
    say('turnLine', { title: '이사', people: say('andOthers', { names: '가, 나, 다', count: 1 }) }),
  )
})

it('a deputy is marked, with the name of the person they stand in for; delegated authority is written beside the title', async () => {
  const sealed = line('Refunds', step('담당', [0]), step('부원장', [1], { delegated: true }))
  const deputy = given('최은희', { onBehalfOf: 'a1', onBehalfOfName: '박서연' })
  const { read, screen } = await boxes(decisionWith([sealed], [given('김민준'), deputy], { status: 'sealed' }))
  expect(read()[0]?.steps[1]).toMatchObject({ title: `부원장 ${say('delegated')}`, places: [say('deputy')] })
  await expect.element(screen.getByText(say('deputyFor', { name: '최은희', principal: '박서연' }))).toBeVisible()
})

it('an approval that no longer counts is struck and stays, and its place is open again', async () => {
  const one = line('Refunds', step('담당', [], people('김민준')))
  const { read } = await boxes(decisionWith([one], [given('윤재', { takenBackAt: '2026-11-16T01:20:00.000Z' })]))
  const struck = `gone: ${say('sealsession', { name: '윤재' })}, ${say('struck')}`
  expect(read()[0]?.steps[0]?.places).toEqual([struck, say('turnOf', { name: '김민준' })])
  const [first, ...rest] = three.steps as [(typeof three.steps)[0]]
  const again = { ...three, steps: [{ ...first, struck: [2] }, ...rest] }
  const approvals = [given('김민준'), given('최은희'), given('윤재', { void: 'role' })]
  const atStep = await boxes(decisionWith([again], approvals))
  expect(atStep.read()).toHaveLength(1)
  expect(atStep.read()[0]?.steps[0]?.places).toEqual([struck, say('sealsession', { name: '김민준' })])
  expect(atStep.screen.container.textContent).toContain(say('voidrole'))
  // Of a version of the policy that no longer asks, there is no step.
  const other = await boxes(decisionWith([three], approvals))
  expect(other.read().at(-1)).toMatchObject({ side: say('struck'), steps: [{ places: [struck] }] })
  expect(other.screen.container.textContent).toContain(say('voidrole'))
})

it('a place that nobody can fill says so', async () => {
  const { read } = await boxes(decisionWith([line('Refunds', step('원장', [], { current: true, count: 2 }))], []))
  expect(read()[0]?.steps[0]?.places).toEqual([say('nobody'), say('nobody')])
  expect(read()[0]?.turn).toContain(say('nobodyLong'))
})

it('one place is quiet: one seal, without a sentence below it', async () => {
  const { read } = await boxes(decisionWith([line('Small', step(null, [], people('가', '나')))], []))
  expect(read()[0]).toMatchObject({ steps: [{ title: say('approves') }], turn: undefined })
})

it('a decision from before lines shows its approvals, and who refused', async () => {
  const refusal = given('박서연', { result: 'rejected', reason: 'no' })
  const { read } = await boxes(decisionWith([], [given('김민준'), refusal], { status: 'rejected' }))
  expect(read()[0]?.steps.map(({ title, places }) => [title, ...places])).toEqual([
    [say('approves'), say('sealsession', { name: '김민준' })],
    [say('refuses'), '✕ 박서연'],
  ])
})

it('names are text, and nine places do not make the page wider than the screen', async () => {
  const hostile = '<img src=x onerror=alert(1)>\u202E'
  const steps = Array.from({ length: 9 }, (_, at) =>
    step(`${hostile}${at}`, at === 0 ? [0] : [], at === 1 ? people(hostile) : {}),
  )
  const { screen } = await boxes(decisionWith([line(hostile, ...steps)], [given(hostile)]))
  expect(screen.container.querySelector('img')).toBe(null)
  expect(screen.container.textContent).not.toContain('\u202E')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
})

const urgent = given('최은희', { identity: byPasskey, emergency: true, reason: '오늘 밤에 약이 떨어집니다.' })
const standsFor = (one: ReturnType<typeof line>) => ({ ...one, emergency: 0, full: false })
const emergency = (more: object = {}) =>
  ({
    ...{ approvals: [0], confirmBy: '2026-11-17T00:00:00.000Z', state: 'open', confirmations: [] },
    ...{ closedBy: null, closedAt: null, closeReason: null, mayConfirm: false, mayObject: false, mayClose: false },
    ...more,
  }) as NonNullable<Decision['emergency']>
const confirmation = (name: string, result: 'confirmed' | 'objected') => ({
  ...{ result, by: name, name, level: 'session' as const, at: '2026-11-16T22:00:00.000Z' },
})

it('an emergency approval stands in a cell of its own, and the places of its line are open until they are confirmed', async () => {
  const open = line('Refunds', step('담당', [], people('김민준')), step('원장', []))
  const decision = decisionWith([standsFor(open)], [urgent], {
    status: 'sealed',
    waiting: null,
    emergency: emergency(),
  })
  const { read } = await boxes(decision)
  const [box] = read()
  expect(box?.steps).toEqual([
    { title: say('emergency'), places: [say('emergencyMark')], current: null },
    { title: '담당', places: [say('turnOf', { name: '김민준' })], current: 'step' },
    { title: '원장', places: ['empty'], current: null },
  ])
  expect(box?.turn).toContain('◷')
})

it('a confirmation has a seal in its place; an objection ends it, and the places that nobody filled say so', async () => {
  const filled = step('담당', [])
  const [empty] = filled.places
  const steps = [
    { ...filled, places: [{ ...(empty as NonNullable<typeof empty>), confirmation: 0 }] },
    step('원장', []),
  ]
  const decision = decisionWith([standsFor(line('Refunds', ...steps))], [urgent], {
    ...{ status: 'sealed', waiting: null },
    emergency: emergency({
      state: 'objected',
      confirmations: [confirmation('김민준', 'confirmed'), confirmation('박서연', 'objected')],
    }),
  })
  const { read } = await boxes(decision)
  const [box] = read()
  expect(box?.steps.map(({ places }) => places)).toEqual([
    [say('emergencyMark')],
    [say('sealsession', { name: '김민준' })],
    [say('notConfirmed')],
    ['✕ 박서연'],
  ])
  expect(box?.turn).toContain(say('emergencyobjected', {}))
})

it.each([320, 340, 360, 470, 500, 560, 600, 660, 900])(
  'in %d pixels no seal is cut off, whatever the line',
  async (width) => {
    const names = ['김민준', '최은희', '박서연', '윤재', '남궁민수']
    const approvals = names.map((name) => given(name, { identity: byPasskey }))
    for (const places of [1, 3, 5]) {
      const all = line('Refunds', ...names.slice(0, places).map((_, at) => step('담당', [at], { delegated: at === 2 })))
      await page.viewport(width, 740)
      const { screen } = await boxes(decisionWith([all], approvals.slice(0, places)))
      const cut = [...screen.container.querySelectorAll('.seal-line')].flatMap((box) => {
        const edge = box.getBoundingClientRect()
        return [...box.querySelectorAll('.place svg')].filter((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect()
          return left < edge.left || right > edge.right + 0.5 || top < edge.top || bottom > edge.bottom + 0.5
        })
      })
      expect([width, places, cut.length]).toEqual([width, places, 0])
      await screen.unmount()
    }
  },
)
