/** One section for each scope of an API key; its anchor is the scope. */
import { type Scope, scopes } from '@countersign/contract/enums.ts'
import { fullPath } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'
import { anchorOf, type Generated, slugOfTag } from './api.ts'
import { wordsOf } from './words.ts'

const meanings: Readonly<Record<Scope, Readonly<Record<Language, string>>>> = {
  decide: {
    en: 'For a single agent: record and read decisions, ask whether the agent may act, consume decisions and report outcomes, always as the actor that the key is limited to. Includes `proof:read`.',
    ko: '에이전트 하나를 위한 권한입니다. 키에 지정된 행위자로만 결정을 기록하고 조회하고, 실행해도 되는지 묻고, 결정을 소비하고, 결과를 보고합니다. `proof:read`를 포함합니다.',
  },
  'proof:read': { en: 'Read decisions, evidence and chains.', ko: '결정, 증거, 체인을 조회합니다.' },
  'proof:write': {
    en: 'Record decisions. Includes `proof:read`.',
    ko: '결정을 기록합니다. `proof:read`를 포함합니다.',
  },
  'proof:approve': {
    en: 'Submit approvals. If a policy accepts an approver who is named by a key, the key needs this scope, and can’t be the key that recorded the decision. Includes `proof:read`.',
    ko: '승인을 전달합니다. 정책이 키가 밝힌 승인자를 인정하는 경우 그 키에 이 권한이 있어야 하고, 결정을 기록한 키여서는 안 됩니다. `proof:read`를 포함합니다.',
  },
  'events:write': { en: 'Publish events.', ko: '이벤트를 발행합니다.' },
  'webhooks:write': { en: 'Manage webhooks.', ko: '웹훅을 관리합니다.' },
  'policies:write': {
    en: 'Read policies, and import them from a file. What loosens them still needs people’s approval.',
    ko: '정책을 읽고 파일에서 가져옵니다. 정책을 느슨하게 하는 변경에는 여전히 사람의 승인이 필요합니다.',
  },
  'sandboxes:write': {
    en: 'Create, refresh and end the center’s sandboxes.',
    ko: '센터의 샌드박스를 만들고, 새로 고치고, 종료합니다.',
  },
}

/** The operations whose declared access names the scope. */
export const operationsOf = (scope: Scope) =>
  operations.filter(({ spec: { access } }) => access.kind === 'key' && (access.scope === scope || access.or === scope))

export function scopesPage(language: Language): Generated {
  const words = wordsOf(language)
  const section = (scope: Scope) => {
    const rows = operationsOf(scope).map(
      (each) =>
        `| [${each.spec.summary}](${addressOf(slugOfTag(each.spec.tag), language)}#${anchorOf(each)}) | \`${each.spec.method} ${fullPath(each.spec)}\` |`,
    )
    return [
      `## \`${scope}\``,
      `<span id="${scope}"></span>${meanings[scope][language]}`,
      `| ${words.operation} | ${words.request} |\n| --- | --- |\n${rows.join('\n')}`,
    ].join('\n\n')
  }
  return {
    slug: 'reference/scopes',
    title: words.scopes,
    body: [words.scopesIntroduction, ...scopes.map(section)].join('\n\n'),
  }
}
