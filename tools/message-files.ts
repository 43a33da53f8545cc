/** The matrix of messages as a page of the documentation, in both languages. */
import {
  channelsOf,
  digestTime,
  groupOf,
  type MessageEvent,
  messageEvents,
  messageGroupNames,
  messageGroups,
  messagePersons,
} from '@countersign/contract/messages.ts'
import en from '@countersign/words/en/messages.json' with { type: 'json' }
import ko from '@countersign/words/ko/messages.json' with { type: 'json' }
import { type Language, say } from '@countersign/words/say.ts'
import { neutralTerms, termValues } from '@countersign/words/terms.ts'

type Word = keyof typeof ko

const texts = {
  en: {
    title: 'Messages',
    lede: 'Every message that Countersign sends to people: what happened, who is told, and how. The server sends by this table, and everyone can change what they get in their profile, under “Notifications”.',
    columns: ['What happened', 'Who is told', 'By'],
    always: (channels: string) => `Always sent by ${channels}; nobody can turn this off.`,
    digest: `Email can be collected into one a day, at ${digestTime}.`,
    notes: [
      '- Each person gets one message for each cause and channel. If a server stops while it sends, at most the messages in flight are sent again, and an email then has the same `Message-ID`.',
      '- Push notifications and text messages wait until a person’s quiet hours end, unless the appointment begins before that. Security messages and email don’t wait.',
      '- Push notifications go to browsers where the person turned them on. Text messages go to verified Korean phone numbers.',
      '- Email is in the person’s language, else in the center’s. Times are in the center’s time zone.',
      '- Messages to staff have no names of clients and no amounts. No message has a password or a key; a link that has a token is only sent to the person who needs it to accept an invitation or reset a password.',
      '- Someone who asked for a decision through an API key is told by webhook.',
      '- In a sandbox, only the administrator who created it gets messages.',
    ],
  },
  ko: {
    title: '알림',
    lede: 'Countersign이 사람에게 보내는 모든 알림입니다. 무슨 일이 있을 때 누구에게 어떻게 알리는지 정리했습니다. 서버는 이 표대로 보내며, 받을 알림은 내 정보의 “알림”에서 바꿀 수 있습니다.',
    columns: ['무슨 일', '받는 사람', '방법'],
    always: (channels: string) => `${channels}: 항상 보내며 끌 수 없습니다.`,
    digest: `이메일은 하루 한 번 ${digestTime}에 모아 받을 수 있습니다.`,
    notes: [
      '- 한 가지 일에 대해 한 사람에게 방법마다 한 번만 보냅니다. 보내는 중에 서버가 멈추면 그때 보내던 것만 다시 보낼 수 있으며, 이메일은 `Message-ID`가 같습니다.',
      '- 푸시 알림과 문자 메시지는 방해 금지 시간이 끝난 뒤에 보냅니다. 그 전에 예약이 시작되면 바로 보냅니다. 보안 알림과 이메일은 미루지 않습니다.',
      '- 푸시 알림은 켜 둔 브라우저로, 문자 메시지는 확인된 한국 전화번호로 보냅니다.',
      '- 이메일은 받는 사람의 언어로, 선택하지 않았다면 센터의 언어로 보냅니다. 시간은 센터의 시간대로 표시합니다.',
      '- 직원에게 보내는 알림에는 이용자의 이름과 금액이 없습니다. 비밀번호나 키는 어떤 알림에도 없으며, 토큰이 든 링크는 초대 수락이나 비밀번호 재설정에 필요한 본인에게만 보냅니다.',
      '- API 키로 결정을 요청한 쪽에는 웹훅으로 알립니다.',
      '- 샌드박스에서는 샌드박스를 만든 관리자에게만 보냅니다.',
    ],
  },
} as const

function pageIn(language: Language): string {
  const words = texts[language]
  const label = (key: string) => say({ ko, en }, language, key as Word, termValues(neutralTerms, language))
  const listed = (keys: readonly string[]) => keys.map(label).join(', ')
  const rowsOf = (event: MessageEvent) =>
    messagePersons.flatMap((person) => {
      const channels = channelsOf(event)[person]
      const by = channels && listed(channels.map((channel) => `channel.${channel}`))
      return by === undefined ? [] : [`| ${label(`event.${event}`)} | ${label(`person.${person}`)} | ${by} |`]
    })
  const sections = messageGroupNames.map((group) => {
    const { fixed, digest } = messageGroups[group]
    const rules = [
      ...(fixed.length > 0 ? [words.always(listed(fixed.map((channel) => `channel.${channel}`)))] : []),
      ...(digest ? [words.digest] : []),
    ]
    return [
      `## ${label(`group.${group}`)}`,
      ...(rules.length > 0 ? [rules.join(' ')] : []),
      [
        `| ${words.columns.join(' | ')} |`,
        '| --- | --- | --- |',
        ...messageEvents.filter((event) => groupOf(event) === group).flatMap(rowsOf),
      ].join('\n'),
    ].join('\n\n')
  })
  return `${[`# ${words.title}`, words.lede, words.notes.join('\n'), ...sections].join('\n\n')}\n`
}

export const messageFiles = () => [
  { path: 'docs/messages.md', content: pageIn('en') },
  { path: 'docs/ko/messages.md', content: pageIn('ko') },
]
