/** A hundred realistic search queries, the same on every run. */
import type { Vertical } from '@countersign/contract/enums.ts'

export interface SearchQuery {
  readonly query?: string
  readonly vertical?: Vertical
}

const texts: readonly string[] = [
  // Whole words, common and rare, single and combined.
  ...['center', 'academy', 'pharmacy', 'sunflower', 'riverside', 'Patterson', 'violin', 'house', 'Kim', 'greenfield'],
  ...['재활센터', '학원', '강남', '약국', '하늘재활센터', '인테리어', '상담', '바다로', '온누리약국', '3호점'],
  ...['music school', 'learning house', 'Kim academy', 'family pharmacy', 'sunrise care home', 'speech and motion'],
  ...['강남 재활센터', '서초 학원', '하나 복지관', '주말 상담', '분당 하나 학습관', '온누리 약국 수원'],
  // Prefixes, as an autocomplete sends them.
  ...['s', 'su', 'sun', 'sunf', 'gre', 'green', 'pha', 'pharm', 'acad', 'm', 'mo', 'moon', 'rehab', 'wint'],
  ...['하', '하늘', '재', '재활', '강', '온누', '바다', '언어치', '멘토', '리모델'],
  // Misspellings: a letter omitted, doubled, replaced, or transposed.
  ...['sunflowr', 'sunnflower', 'sunflawer', 'pharmcy', 'farmacy', 'acadamy', 'acedemy', 'rehabilitaton', 'cener'],
  ...['greenfeild', 'rivrside', 'moonlght', 'mentorng', 'desgin', 'Patersen', 'Alexandr', 'interor'],
  ...[
    '재할센터',
    '하늘재할센터',
    '언어치료쎈터',
    '인테리아',
    '맨토링센터',
    '복지간',
    '온누이약국',
    '요양샌터',
    '리모댈링',
    '학습광',
  ],
  ...['sunflwer acadmy', 'kim pharmcy', 'green hous', '강남 재할센터', '하나 복지간'],
  // Empty queries, queries without a match, a slug.
  ...[
    '',
    '  ',
    '-- !!',
    '%',
    'zzzzqqqq',
    'xylophone quartz',
    '뷁쀍',
    'center-77',
    'CENTER-4021',
    '100%',
    'the a of and',
    'ㅎㅏㄴ',
  ],
]

const verticals: readonly (Vertical | undefined)[] = [undefined, undefined, 'education', undefined, 'pharmacy']

/** Two of five queries filter by vertical. */
export const searchQueries: readonly SearchQuery[] = texts.map((query, index) => {
  const vertical = verticals[index % verticals.length]
  return { ...(query !== '' && { query }), ...(vertical && { vertical }) }
})
