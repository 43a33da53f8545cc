import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'

let server: TestServer
const centers: Record<string, Center> = {}

async function named(name: string, vertical = 'education', settings: object = {}): Promise<Center> {
  const center = await server.world.center()
  await server.world.query('update directory.centers set name = $2, vertical = $3, settings = $4 where id = $1', [
    center.id,
    name,
    vertical,
    settings,
  ])
  return center
}

beforeAll(async () => {
  server = await startServer()
  centers.haneul = await named('하늘재활센터 강남', 'rehabilitation')
  centers.badaro = await named('바다로 학습관', 'education')
  centers.sunflower = await named('Sunflower Learning House', 'education', {
    branding: { description: 'Piano and violin by the river', logo: 'https://logo.example/s.png' },
  })
  centers.sunrise = await named('Sunrise Pharmacy', 'pharmacy')
  centers.mixed = await named('강남ABC코딩IT학원', 'interior')
  centers.percent = await named('100% Interior', 'interior')
})
afterAll(() => server.close())

const search = async (body: object): Promise<string[]> => {
  const answer = await server.call('POST', '/api/centers/search', { body })
  expect(answer.status).toBe(200)
  return answer.body.data.map((row: { centerDomain: string }) => row.centerDomain)
}
const slug = (name: string) => (centers[name] as Center).domain

describe('200', () => {
  it.each([
    ['a whole word', 'sunflower', 'sunflower'],
    ['any letter case', 'SUNFLOWER', 'sunflower'],
    ['a prefix', 'sunf', 'sunflower'],
    ['a missing letter', 'sunflowr', 'sunflower'],
    ['a wrong letter', 'sunflawer', 'sunflower'],
    ['an extra letter', 'sunnflower', 'sunflower'],
    ['two transposed letters', 'sunfolwer', 'sunflower'],
    ['an accent', 'violín', 'sunflower'],
    ['the end of a word', 'flower', 'sunflower'],
    ['two words in any order', 'house sunflower', 'sunflower'],
    ['the description', 'violin', 'sunflower'],
    ['a Korean word', '하늘재활센터', 'haneul'],
    ['a Korean prefix', '하늘', 'haneul'],
    ['a Korean word with a wrong syllable', '하늘재할센터', 'haneul'],
    ['a short Korean word with one wrong letter', '학슴관', 'badaro'],
    ['the end of a Korean word', '재활센터', 'haneul'],
    ['a word inside of a Korean compound', '재활', 'haneul'],
    ['three syllables across two words of a compound', '늘재활', 'haneul'],
    ['two words of one compound', '재활 하늘', 'haneul'],
    ['decomposed Korean', '하늘'.normalize('NFD'), 'haneul'],
    ['Latin letters inside of a Korean name', 'it', 'mixed'],
    ['Latin letters inside of a Korean name, in any case', 'ABC', 'mixed'],
    ['the beginning of such letters', 'ab', 'mixed'],
    ['such letters and a Korean word', 'abc 코딩', 'mixed'],
    ['a wildcard of LIKE', '100%', 'percent'],
  ])('finds by %s', async (_, query, wanted) => expect(await search({ query })).toContain(slug(wanted)))

  it('requires every pair of syllables of a Korean word', async () => {
    expect(await search({ query: '재활강' })).toEqual([])
    expect(await search({ query: '재활 바다' })).toEqual([])
  })

  it('ranks the exact word first', async () => {
    expect((await search({ query: 'sunrise' }))[0]).toBe(slug('sunrise'))
  })

  it('finds a center by its slug', async () => {
    expect((await search({ query: slug('badaro') }))[0]).toBe(slug('badaro'))
  })

  it('restricts the result to the vertical', async () => {
    expect(await search({ query: 'sun', vertical: 'pharmacy' })).toEqual([slug('sunrise')])
    expect(await search({ vertical: 'rehabilitation' })).toEqual([slug('haneul')])
  })

  it('lists the newest without a query, and requires every word of a query', async () => {
    expect((await search({}))[0]).toBe(slug('percent'))
    expect(await search({ query: 'sunflower 하늘재활센터' })).toEqual([])
    expect(await search({ query: 'zzzzqqqq' })).toEqual([])
    expect(await search({ query: ' -- !! ' })).toHaveLength(6)
  })

  it('shows public fields only', async () => {
    const { body } = await server.call('POST', '/api/centers/search', { body: { query: 'sunflower' } })
    expect(body.data[0]).toEqual({
      name: 'Sunflower Learning House',
      centerDomain: slug('sunflower'),
      vertical: 'education',
      tenantType: 'CENTER',
      description: 'Piano and violin by the river',
      logo: 'https://logo.example/s.png',
    })
  })

  it('finds one of many compounds by two of its words', async () => {
    for (let i = 0; i < 12; i++) await named(`${'가나다라마바사아자차카타'[i]}온발달연구소`, 'welfare')
    const wanted = await named('솔빛발달연구소', 'welfare')
    for (let i = 0; i < 12; i++) await named(`${'가나다라마바사아자차카타'[i]}솔빛돌봄터`, 'welfare')
    expect(await search({ query: '발달 솔빛' })).toEqual([wanted.domain])
    expect(await search({ query: '발달 솔빛', vertical: 'welfare' })).toEqual([wanted.domain])
    expect(await search({ query: '발달 솔빛', vertical: 'pharmacy' })).toEqual([])
  })

  it('prefers the most common words for a short query', async () => {
    for (let i = 0; i < 12; i++) await named(`zephyr${i}`, 'commerce')
    const common = [await named('Zephyrus A', 'commerce'), await named('Zephyrus B', 'commerce')]
    await named('Zephyrus C', 'commerce')
    const found = await search({ query: 'zeph', vertical: 'commerce' })
    expect(found).toEqual(expect.arrayContaining(common.map(({ domain }) => domain)))
  })

  it('keeps no word that no center has', async () => {
    const kept = (word: string) =>
      server.world.query('select centers from directory.search_words where word = $1', [word])
    const one = await named('Larkspur One', 'mentoring')
    const other = await named('Larkspur Other', 'mentoring')
    expect(await kept('larkspur')).toEqual([{ centers: 2 }])
    const rename = (id: number) => server.world.query(`update directory.centers set name = 'Tern' where id = $1`, [id])
    await Promise.all([rename(one.id), rename(other.id)])
    expect(await kept('larkspur')).toEqual([])
    expect(await kept('tern')).toEqual([{ centers: 2 }])
  })

  it('omits a former name and a closed center', async () => {
    const moving = await named('Moonlit Mentoring', 'mentoring')
    expect(await search({ query: 'moonlit' })).toEqual([moving.domain])
    await server.world.query(`update directory.centers set name = 'Quayside Mentoring' where id = $1`, [moving.id])
    expect(await search({ query: 'moonlit' })).toEqual([])
    expect(await search({ query: 'quayside' })).toEqual([moving.domain])
    await server.world.setCenterStatus(moving, 'SUSPENDED')
    expect(await search({ query: 'quayside' })).toEqual([])
    await server.world.setCenterStatus(moving, 'ACTIVE')
    expect(await search({ query: 'quayside' })).toEqual([moving.domain])
  })
})

describe('400', () => {
  it.each([{ query: 'x'.repeat(201) }, { query: 5 }, { vertical: 'farming' }, { limit: 1000 }])(
    'VALIDATION_ERROR for %j',
    async (body) => {
      const { status, body: answer } = await server.call('POST', '/api/centers/search', { body })
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})
