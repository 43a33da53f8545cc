/** What a verifier finds wrong with a file: a place, a stable code and the values of its sentence. */
import { shown } from './shown.ts'

const en = {
  unreadable: 'cannot be read: {why}',
  'not-an-object': 'is not an object',
  'not-in-format': 'is not part of a proof: it was added',
  'other-format': 'is another format',
  unexpected: 'is not {expected}',
  'not-a-time': 'is not a time in UTC with milliseconds',
  'no-entry': 'holds no chain entry',
  'not-exportable': 'is not a domain that can be exported',
  disagrees: 'does not agree with the evidence',
  'not-an-address': 'is not an address',
  'not-the-id': 'differs from id',
  'wrong-status': 'does not follow from the level',
  'content-differs': 'differs from the hashed content',
  'not-a-list': 'is not a list of entries',
  'not-an-entry': 'is not a chain entry',
  'other-record': 'is another record',
  'other-center': 'is not the history log of the center',
  'index-order': 'is not after the entry before',
  'time-order': 'is earlier than the entry before',
  'not-the-last': 'is not what its last change says',
  'path-gap': 'does not name the entry before it about this record: a change was removed, added or moved',
  'state-differs': 'is not the state that the changes shown here leave',
  'consumed-twice': 'consumes the decision a second time',
  'other-action': 'is not the digest of the action that was decided',
  'digest-differs': 'is not the digest of the action that is shown',
  'not-committed-here': 'is a commitment to something that is not committed in this domain',
  added: 'is neither hashed nor committed: it was added',
  missing: 'is missing',
  'no-commitment': 'has no commitment',
  'salt-alone': 'is a salt without its value',
  'not-sealed-at': 'differs from sealedAt',
  'hash-differs': 'differs from the hash of what is shown, {hash}',
  'not-a-hash': 'is not "sha256:" and 64 hex digits',
  'not-an-index': 'is not a whole number from 0',
  'first-has-previous': 'of the first entry is not null',
  'not-a-string': 'is not a string',
  'without-log-proof': 'is there without tlogProof',
  'none-of': 'is none of {allowed}',
  'stamp-unclaimed': 'is there although the proof says it is {anchoring}',
  'not-base64': 'is not base64',
  'history-proofs': 'is not one proof for each entry of the history',
  'no-salt': 'is shown without its salt and cannot be checked',
  'not-a-salt': 'is not a salt of 32 hex digits',
  'commitment-differs': 'does not match its commitment',
  'statement-differs': 'does not say what the record says',
  'binding-missing': 'is not the newest entry about a passkey that the file shows',
  'binding-older': 'is not the newest entry about its key: there is a later one before the approval',
  'binding-later': 'is not above the index of the entry that binds the key',
  'binding-person': 'names another person, or the person who is to be confirmed',
  'binding-unconfirmed': 'binds a key that nobody confirmed but a mail',
  'passkey-unclaimed': 'is there although the level is not passkey',
  'passkey-spelling': 'is not base64url without padding, in its only spelling',
  'passkey-size': 'is longer than an assertion may be',
  'passkey-client-data': 'has a clientDataJSON that is not one JSON object in UTF-8 with each member once',
  'passkey-type': 'is not an assertion: its type is not webauthn.get',
  'passkey-challenge': 'signs something else: its challenge is not the digest of the statement',
  'passkey-origin': 'was made at an origin that the policy does not name',
  'passkey-framed': 'was made in a frame of another origin',
  'passkey-authenticator-data': 'has an authenticatorData that is not of an assertion',
  'passkey-host': 'was made for another host',
  'passkey-user': 'was made without the presence or the verification of a user',
  'passkey-backup': 'does not say the same about backup as the binding of its key',
  'passkey-key': 'has a key that is not ES256, EdDSA or RS256',
  'passkey-signature': 'was not signed by its key',
} as const

export type ProblemCode = keyof typeof en

const ko: Readonly<Record<ProblemCode, string>> = {
  unreadable: '읽을 수 없습니다: {why}',
  'not-an-object': '객체가 아닙니다',
  'not-in-format': '증명에 속하지 않는, 덧붙여진 값입니다',
  'other-format': '다른 형식입니다',
  unexpected: '다음 값이 아닙니다: {expected}',
  'not-a-time': '밀리초까지 적은 UTC 시각이 아닙니다',
  'no-entry': '체인 항목이 없습니다',
  'not-exportable': '내보낼 수 있는 도메인이 아닙니다',
  disagrees: '증거와 맞지 않습니다',
  'not-an-address': '주소가 아닙니다',
  'not-the-id': 'id와 다릅니다',
  'wrong-status': '수준과 맞지 않습니다',
  'content-differs': '해시된 내용과 다릅니다',
  'not-a-list': '항목의 목록이 아닙니다',
  'not-an-entry': '체인 항목이 아닙니다',
  'other-record': '다른 기록입니다',
  'other-center': '이 센터의 변경 기록 로그가 아닙니다',
  'index-order': '앞 항목보다 뒤에 있지 않습니다',
  'time-order': '앞 항목보다 이릅니다',
  'not-the-last': '마지막 변경 기록과 다릅니다',
  'path-gap': '이 기록의 바로 앞 항목을 가리키지 않습니다. 변경 항목이 빠졌거나, 덧붙여졌거나, 옮겨졌습니다',
  'state-differs': '여기 보이는 변경들이 남기는 상태가 아닙니다',
  'consumed-twice': '이 결정을 두 번째로 집행합니다',
  'other-action': '결정된 행위의 다이제스트가 아닙니다',
  'digest-differs': '보이는 행위의 다이제스트가 아닙니다',
  'not-committed-here': '이 도메인에 없는 값에 대한 약정입니다',
  added: '해시에도 약정에도 없는, 덧붙여진 값입니다',
  missing: '빠져 있습니다',
  'no-commitment': '약정이 없습니다',
  'salt-alone': '값 없이 솔트만 있습니다',
  'not-sealed-at': 'sealedAt과 다릅니다',
  'hash-differs': '보이는 내용의 해시 {hash} 와 다릅니다',
  'not-a-hash': '"sha256:"과 64자리 16진수가 아닙니다',
  'not-an-index': '0 이상의 정수가 아닙니다',
  'first-has-previous': '첫 항목인데 null이 아닙니다',
  'not-a-string': '문자열이 아닙니다',
  'without-log-proof': 'tlogProof 없이 들어 있습니다',
  'none-of': '다음 가운데 하나가 아닙니다: {allowed}',
  'stamp-unclaimed': '증명에 적힌 수준과 맞지 않습니다: {anchoring}',
  'not-base64': 'base64가 아닙니다',
  'history-proofs': '변경 기록마다 증명이 하나씩 있지 않습니다',
  'no-salt': '솔트 없이 보여 확인할 수 없습니다',
  'not-a-salt': '32자리 16진수 솔트가 아닙니다',
  'commitment-differs': '약정과 맞지 않습니다',
  'statement-differs': '기록과 다르게 말합니다',
  'binding-missing': '파일에 있는 패스키 항목 가운데 가장 새로운 것이 아닙니다',
  'binding-older': '이 키의 가장 새로운 항목이 아닙니다. 승인 전에 더 새로운 항목이 있습니다',
  'binding-later': '키를 등록한 항목의 순서보다 크지 않습니다',
  'binding-person': '다른 사람을, 또는 확인받아야 할 본인을 가리킵니다',
  'binding-unconfirmed': '메일로만 확인된 키를 등록한 항목입니다',
  'passkey-unclaimed': '수준이 passkey가 아닌데 들어 있습니다',
  'passkey-spelling': '패딩 없는 base64url의 유일한 표기가 아닙니다',
  'passkey-size': '서명 응답의 한도보다 깁니다',
  'passkey-client-data': 'clientDataJSON이 각 이름이 한 번만 나오는 UTF-8 JSON 객체가 아닙니다',
  'passkey-type': '유형이 webauthn.get이 아니므로 서명 응답이 아닙니다',
  'passkey-challenge': '다른 것에 서명했습니다. 챌린지가 진술의 다이제스트가 아닙니다',
  'passkey-origin': '정책에 없는 출처(origin)에서 만들어졌습니다',
  'passkey-framed': '다른 출처의 프레임 안에서 만들어졌습니다',
  'passkey-authenticator-data': 'authenticatorData가 서명 응답의 것이 아닙니다',
  'passkey-host': '다른 호스트를 위해 만들어졌습니다',
  'passkey-user': '사용자의 확인이나 인증 없이 만들어졌습니다',
  'passkey-backup': '백업에 대해 키의 등록 항목과 다르게 말합니다',
  'passkey-key': '키가 ES256, EdDSA, RS256이 아닙니다',
  'passkey-signature': '그 키로 서명되지 않았습니다',
}

export const problemWords = { en, ko } as const
export type ProblemLanguage = keyof typeof problemWords

export interface Problem {
  /** The path in the document: member names joined by dots, as the file spells them. */
  readonly path: string
  /** Stable: translations are keyed by it. */
  readonly code: ProblemCode
  readonly params?: Readonly<Record<string, string>>
  /** The sentence in English, safe to print. */
  readonly message: string
}

export type Report = (path: string, code: ProblemCode, params?: Problem['params']) => void

/** A sentence about the place, safe to print. */
export const problemInWords = ({ code, params = {} }: Omit<Problem, 'message' | 'path'>, language: ProblemLanguage) =>
  problemWords[language][code].replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(params[name] ?? ''))

export const problem = (path: string, code: ProblemCode, params?: Problem['params']): Problem => ({
  path,
  code,
  ...(params && { params }),
  message: problemInWords({ code, ...(params && { params }) }, 'en'),
})
