/** Decisions as people of a center would know them, the same on every run, and sixty questions of which the right answer is known. */
import type { World } from '../support/world.ts'
import { opening } from './stored-decisions.ts'

const surnames = [...'김이박최정강조윤장임한오서신권황안송류홍']
const given =
  '하늘 바다 서연 민준 지우 은희 도윤 하준 서윤 예은 시우 지호 유진 현우 수아 건우 채원 민서 지훈 나은 태윤 소율 주원 다인 은우'.split(
    ' ',
  )
const english = 'Olivia Noah Emma Liam Ava Ethan Mia Lucas Grace Henry Chloe Oscar Ruby Felix Hazel'.split(' ')
const family = 'Parker Reed Foster Hayes Brooks Morgan Palmer Quinn Lawson Becker'.split(' ')
/** Compounds: people ask for their parts. */
const services = ['언어치료', '감각통합', '심리상담', '수강료', '교구구입', '셔틀운행', '방문재활', '집단놀이'] as const
const acts = ['환불', '감액', '변경', '취소', '이월'] as const
const servicesInEnglish = ['speech therapy', 'counseling', 'tuition', 'shuttle', 'equipment', 'home visit']
const actsInEnglish = ['refund', 'discount', 'reschedule', 'cancel', 'transfer']
const reasons = ['보호자 요청', '일정 변경', '결제 오류', '정기 점검', '중복 결제', '담당자 교체']
const reasonsInEnglish = ['parent asked', 'schedule changed', 'payment failed', 'duplicate charge']
const causes = ['디스크', '수두', '해외파견', '화재', '누수', '전학', '군입대', '출산', '골절', '폭설', '정전', '장염']
const ways = ['입원', '격리', '이주', '복구', '수리', '전입', '훈련', '조리', '깁스', '통제', '단수', '요양']
const causesInEnglish = ['flood', 'surgery', 'relocation', 'hurricane', 'chickenpox', 'bereavement']

/** The same numbers on every run: mulberry32. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface Made {
  readonly name: string
  readonly service: string
  readonly act: string
  readonly amount: number
  readonly reason: string
  readonly isEnglish: boolean
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

function make(random: (below: number) => number): Made {
  const isEnglish = random(10) < 3
  const [service, act, reason] = [random(8), random(5), random(50)]
  const amount = 10_000 + random(3000) * 1000
  if (isEnglish) {
    const name = `${pick(english, random(15))} ${pick(family, random(10))}`
    return {
      name,
      service: pick(servicesInEnglish, service),
      act: pick(actsInEnglish, act),
      amount,
      reason: pick(reasonsInEnglish, reason),
      isEnglish,
    }
  }
  const name = pick(surnames, random(20)) + pick(given, random(25))
  return {
    name,
    service: pick(services, service),
    act: pick(acts, act),
    amount,
    reason: pick(reasons, reason),
    isEnglish,
  }
}

export interface Question {
  readonly q: string
  /** The decision's own name. */
  readonly right: string
}

const withCommas = (value: number): string => value.toLocaleString('en-US')

/** What people remember of the decision, by one of ten ways. `rare` are words of its reason. */
function questionOf(at: number, made: Made, rare: readonly [string, string]): string {
  const { name, service, act, amount } = made
  const first = made.isEnglish ? (name.split(' ')[0] as string) : name
  if (made.isEnglish) {
    const ways = [
      `${name} ${withCommas(amount)}`,
      `${first.toUpperCase()} ${rare[0]} ${act}s`,
      `${amount} ${service} ${act}ed`,
      `the ${act} for ${name} because of ${rare[0]} last week`,
      `${rare[0]} ${name.split(' ')[1]}`,
    ]
    return pick(ways, at)
  }
  const parted = `${service.slice(0, 2)} ${service.slice(2)}`
  return pick(
    [
      `${name} ${withCommas(amount)}`,
      `${name}의 ${service} ${amount / 10_000}만원`,
      `${rare[0]} ${rare[1]} ${name}`,
      `${name.slice(1)} ${rare[0]}${rare[1]}`,
      `${name} 님 ${parted} ${amount}원`,
      `${service}${act} ${name} ${rare[0]}`,
      `지난주에 ${name}이 ${rare[0]}로 ${act}`,
      `${parted} ${act} ${withCommas(amount)}원 ${name}`,
      `${name}에게 ${act}한 ${amount / 10_000}만`,
      `${rare[1]} ${name}`,
    ],
    at,
  )
}

const questions = 60

/** Of the names, amounts and words. */
export const dataSeed = 20_261_119

/** Fills the center, and returns the questions. Of each word of a question there are other decisions too. */
export async function fillDecisions(world: World, centerId: number, rows: number): Promise<readonly Question[]> {
  const random = seeded(dataSeed)
  const every = Math.floor(rows / questions)
  const asked: Question[] = []
  const size = 2000
  for (let from = 0; from < rows; from += size) {
    const batch = Array.from({ length: Math.min(size, rows - from) }, (_, index) => {
      const at = from + index
      let made = make(random)
      const isTarget = at % every === Math.floor(every / 2) && asked.length < questions
      // Rare words stand in others too, with other names.
      const rare = [pick(causes, random(12)), pick(ways, random(12))] as [string, string]
      const rareInEnglish = [pick(causesInEnglish, random(6)), ''] as [string, string]
      if (isTarget) made = { ...made, amount: Math.ceil(made.amount / 10_000) * 10_000 }
      const words = made.isEnglish ? rareInEnglish : rare
      const isRare = isTarget || random(200) === 0
      const reason = isRare
        ? made.isEnglish
          ? `${words[0]}, ${made.reason}`
          : `${words.join('')} 때문에 ${made.reason}`
        : made.reason
      const name = `seeded-${at}`
      if (isTarget) asked.push({ q: questionOf(asked.length, made, words), right: name })
      const action = {
        type: made.isEnglish ? 'billing.adjust' : 'refund.create',
        description: made.isEnglish
          ? `${made.act} ${made.service} for ${made.name}: ${withCommas(made.amount)} won`
          : `${made.name} 님 ${made.service}${made.act} ${withCommas(made.amount)}원`,
        input: { to: made.name, amount: made.amount },
      }
      return { name, action, reason }
    })
    await world.query(
      opening(`insert into cell.recorded_decisions
         (center_id, id, decision_id, type, actor, action, tags, reason, action_digest, occurred_at, created_at)
       select $1, gen_random_uuid(), r.name, 'ai_recommendation',
         '{"id":"agent-7","type":"ai_agent","name":"정산 에이전트"}', r.action, '{}', r.reason, 'sha256:' || repeat('0', 64),
         now(), now()
       from json_to_recordset($2::json) as r (name text, action json, reason text)`),
      [centerId, JSON.stringify(batch)],
    )
  }
  return asked
}
